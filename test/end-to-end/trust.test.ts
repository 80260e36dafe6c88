import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdfast, type Outcome } from '../reconcile/run-command.ts'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { emptyDomain } from '../support/domain.ts'
import { startLoginServer, type LoginServer } from '../support/login-server.ts'
import { blocks } from './markdown.ts'
import { startFakeActions, type FakeActions } from './fake-actions.ts'

// `holdfast trust github`: from a new repository to jobs that sign in, without a secret and without a warning.

function known(name: string, id: number, owner: number, more: object = {}) {
  return { full_name: name, id, default_branch: 'main', owner: { id: owner, type: 'User' }, ...more }
}

const REPOSITORIES: { readonly [path: string]: object } = {
  '/repos/a-b/c': known('a-b/c', 21, 5),
  '/repos/a/b-c': known('a/b-c', 22, 6),
  '/repos/acme/odd': known('acme/odd', 23, 1, { default_branch: "it's;$(id)>x&" }),
  // Somebody has taken the name after a rename.
  '/repos/acme/taken': known('acme/models', 24, 1),
  '/repos/acme/models': known('acme/models', 11, 1),
  '/repos/acme/Plant.2': known('acme/Plant.2', 12, 1, { default_branch: 'trunk' }),
  '/repos/hand/made': known('hand/made', 1296269, 583231),
  '/repos/corp/site': known('corp/site', 13, 2, { owner: { id: 2, type: 'Organization' } }),
}
const ACTION = 'acme/holdfast@0123456789abcdef0123456789abcdef01234567'

let actions: FakeActions
let server: LoginServer
let token: string
beforeAll(async () => {
  actions = await startFakeActions()
  server = await startLoginServer({ allowedOrigins: [actions.origin] })
})
beforeEach(async () => {
  await emptyDomain(server.context)
  token = await giveToken(server.context, await makeMachine(server.context, 'operator'))
})
afterAll(async () => {
  await server.close()
  await actions.close()
})

/** GitHub's API answers from here, and everything else is really asked. */
function fetchBeside(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  if (origin !== 'https://api.github.com') return fetch(request)
  const found = REPOSITORIES[pathname]
  return Promise.resolve(Response.json(found ?? { message: 'Not Found' }, { status: found === undefined ? 404 : 200 }))
}

/** The connection breaks when a machine user is to be made. */
async function fetchWithoutUsers(request: Request): Promise<Response> {
  const body = await request.clone().text()
  if (body.includes('CreateMachineUser')) throw new TypeError('fetch failed')
  return fetchBeside(request)
}

function run(line: string, cwd: string, env: object = { HOLDFAST_TOKEN: token }): Promise<Outcome> {
  return holdfast(line, { cwd, env: { HOLDFAST_URL: server.url, ...env }, fetch: fetchBeside })
}

function trust(repository: string, cwd: string, options = ''): Promise<Outcome> {
  return run(`trust github ${repository} --issuer ${actions.issuer} ${options}`, cwd)
}

/** The lines of what was done, before what is left to do at GitHub. */
function done({ stdout }: Outcome): string[] {
  return stdout.slice(0, stdout.indexOf('\n\n')).split('\n')
}

/** What a job of a repository may do: its name, and whether it may apply. */
async function inJob(claims: JWTPayload): Promise<string> {
  const { stdout, stderr } = await run('doctor', workspace({ 'models/a.yaml': '{}\n' }), jobOf(claims))
  const who = /^ok +credential +(\S+) at/m.exec(stdout)?.[1]
  return who === undefined ? stderr || stdout : `${who}${/enough for plan; apply/.test(stdout) ? '' : ' applies'}`
}

function jobOf(claims: JWTPayload): { readonly [variable: string]: string } {
  return actions.job({ repository_owner_id: '1', runner_environment: 'github-hosted', ...claims })
}

const PUSH = { event_name: 'push', ref: 'refs/heads/main', environment: 'production' }

async function repository(): Promise<string> {
  const cwd = workspace({ '.git/HEAD': 'ref: refs/heads/main\n' })
  expect((await run(`init --action ${ACTION}`, cwd)).code).toBe(0)
  return cwd
}

describe('holdfast trust github', () => {
  it('on a new repository: its jobs sign in, and its models plan without a warning, before and after the apply', async () => {
    const cwd = await repository()
    const made = await trust('acme/models', cwd)
    expect(made).toMatchObject({ code: 0 })
    expect(done(made)).toEqual([
      'made    machine user acme.models-apply',
      'made    machine user acme.models-plan',
      'made    authentication method GitHub Actions, with the rules "acme/models: apply, in production" and "acme/models: plan"',
      'wrote   models/github.yaml',
      'wrote   .github/CODEOWNERS',
    ])
    expect(readFileSync(join(cwd, '.github/CODEOWNERS'), 'utf8')).toMatch(/^\/models\/holdfast\.yaml @acme$/m)
    expect(await run('validate', cwd)).toMatchObject({ code: 0, stdout: 'The models are valid.\n', stderr: '' })
    for (const line of ['plan', 'apply --yes', 'plan --detailed-exitcode']) {
      const outcome = await run(`${line} --format json`, cwd)
      expect({ line, code: outcome.code, found: diagnosticsOf(outcome) }).toEqual({ line, code: 0, found: [] })
    }
    writeFiles(cwd, { 'export.yaml': (await run('export --managed', cwd)).stdout })
    expect(readFileSync(join(cwd, 'export.yaml'), 'utf8').match(/password: \$\{generated\}/g)).toHaveLength(2)
    expect(await run('plan --against export.yaml --detailed-exitcode', cwd)).toMatchObject({ code: 0 })
    expect(await inJob({ repository_id: '11', ...PUSH })).toBe('acme.models-apply applies')
    expect(await inJob({ repository_id: '11', event_name: 'pull_request' })).toBe('acme.models-plan')
    expect(await inJob({ repository_id: '99', ...PUSH })).toContain('it fits no rule')
  })

  it('again changes nothing, and says so, also where a link led to the repository before', async () => {
    const cwd = await repository()
    const linked = join(workspace(), 'linked')
    symlinkSync(cwd, linked)
    await trust('acme/models', linked, `--models ${linked}/models`)
    expect(done(await trust('acme/models', cwd)).map((line) => line.slice(0, 4))).toEqual(Array(5).fill('kept'))
    expect(readFileSync(join(cwd, '.github/CODEOWNERS'), 'utf8').match(/holdfast\.yaml/g)).toHaveLength(1)
  })

  it('of two repositories gives each its own accounts, and neither loses anything', async () => {
    await trust('acme/models', await repository())
    const second = await trust('acme/Plant.2', await repository())
    expect(done(second)[2]).toMatch(
      /^changed authentication method GitHub Actions \(.*\): it has the rules "acme\/Plant/,
    )
    expect(await inJob({ repository_id: '11', ...PUSH })).toBe('acme.models-apply applies')
    expect(await inJob({ repository_id: '12', ...PUSH, ref: 'refs/heads/trunk' })).toBe('acme.plant.2-apply applies')
    expect(await inJob({ repository_id: '12', ...PUSH })).toBe('acme.plant.2-plan')
  })

  it('of two folders in one repository adds what differs: an environment, and the owners of the other holdfast.yaml', async () => {
    const cwd = await repository()
    writeFiles(cwd, { 'cooling/a.yaml': '{}\n', '.github/CODEOWNERS': '# Ours\r\n* @acme' })
    await trust('acme/models', cwd)
    const second = await trust('acme/models', cwd, '--models cooling --environment cooling --owners @acme/a,@acme/b')
    expect(done(second)).toEqual([
      'kept    machine user acme.models-apply',
      'kept    machine user acme.models-plan',
      expect.stringMatching(/^changed .* it has the rules "acme\/models: apply, in cooling"$/),
      'kept    cooling/github.yaml: not written, since cooling describes no machine users, and the platform has these: other models may describe them',
      'changed .github/CODEOWNERS: /cooling/holdfast.yaml @acme/a @acme/b',
    ])
    expect(readFileSync(join(cwd, '.github/CODEOWNERS'), 'utf8')).toMatch(
      /^# Ours\r\n\* @acme\r\n#.*\r\n\/models\/holdfast\.yaml @acme\r\n#.*\r\n\/cooling\/holdfast\.yaml @acme\/a @acme\/b\r\n$/,
    )
    expect(await inJob({ repository_id: '11', ...PUSH, environment: 'cooling' })).toBe('acme.models-apply applies')
    expect(await inJob({ repository_id: '11', ...PUSH })).toBe('acme.models-apply applies')
  })

  it('leaves machine users unmanaged where a list of two would delete others, and asks who owns in an organization', async () => {
    await makeMachine(server.context, 'gateway')
    const lines = done(await trust('corp/site', await repository()))
    expect(lines.slice(3)).toEqual([
      'kept    models/github.yaml: not written, since models describes no machine users, and the platform has 1 other, which a list would delete',
      'kept    .github/CODEOWNERS: say by --owners who must agree to changes of models/holdfast.yaml',
    ])
  })

  it('leaves what somebody has made by hand, as docs/how-to/github.md shows it, and makes only what is missing', async () => {
    const page = readFileSync(new URL('../../docs/how-to/github.md', import.meta.url), 'utf8')
    const [mutation = ''] = blocks(page, 'graphql')
    const query = mutation
      .replace('https://acme.example.com', server.url)
      .replace(/https:\/\/token\.[^"]+/, actions.issuer)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    expect(done(await trust('hand/made', await repository())).slice(0, 4)).toEqual([
      'made    machine user github-apply',
      'made    machine user github-plan',
      expect.stringMatching(/^kept {4}authentication method /),
      'wrote   models/github.yaml',
    ])
  })

  it('gives repositories whose names run together accounts of their own', async () => {
    await trust('a-b/c', await repository())
    await trust('a/b-c', await repository())
    const [one, other] = [
      { repository_id: '21', repository_owner_id: '5', ...PUSH },
      { repository_id: '22', repository_owner_id: '6', ...PUSH },
    ]
    expect([await inJob(one), await inJob(other)]).toEqual(['a-b.c-apply applies', 'a.b-c-apply applies'])
  })

  it('takes no machine user that is there already for something else, unless it is told to', async () => {
    await makeMachine(server.context, 'acme.models-apply')
    const cwd = await repository()
    expect(await trust('acme/models', cwd)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'the platform has the machine user acme.models-apply already, and not for the jobs of this repository; nothing was created',
      ),
    })
    expect(existsSync(join(cwd, 'models/github.yaml'))).toBe(false)
    expect(await inJob({ repository_id: '11', ...PUSH })).toContain('needs an ACTIVATED OpenID')
    expect(done(await trust('acme/models', cwd, '--adopt')).slice(0, 2)).toEqual([
      'kept    machine user acme.models-apply',
      'made    machine user acme.models-plan',
    ])
    expect((await trust('acme/taken', await repository())).stderr).toContain(
      'the machine user acme.models-apply and acme.models-plan already',
    )
  })

  it('knows its own machine users where it was interrupted before', async () => {
    const cwd = await repository()
    const env = { HOLDFAST_URL: server.url, HOLDFAST_TOKEN: token }
    const line = `trust github acme/models --issuer ${actions.issuer}`
    expect(await holdfast(line, { cwd, env, fetch: fetchWithoutUsers })).toMatchObject({ code: 1 })
    expect(await trust('acme/models', cwd)).toMatchObject({ code: 0 })
    expect(await inJob({ repository_id: '11', ...PUSH })).toBe('acme.models-apply applies')
  })

  it('lets runs that somebody starts by hand apply only where that is said, and leaves that as it is', async () => {
    const cwd = await repository()
    const byHand = { repository_id: '11', ...PUSH, event_name: 'workflow_dispatch' }
    expect((await trust('acme/models', cwd)).stdout).toContain('Runs by hand only plan.')
    expect(await inJob(byHand)).toBe('acme.models-plan')
    const models = workspace({ 'models/a.yaml': 'services: [{ code: s, name: S }]\n' })
    const refused = await run('apply --yes', models, jobOf(byHand))
    expect(refused.stderr).toMatch(
      /by the rule "acme\/models: apply, in production".*: event_name is "workflow_dispatch" and must be "push"\. .*--runs-by-hand, or runsByHand: true/,
    )
    expect(done(await trust('acme/models', cwd, '--runs-by-hand'))[2]).toMatch(
      /^changed .*it has the rules "acme\/models: apply, in production"; event_name is push, workflow_dispatch \(was push\)$/,
    )
    expect(await inJob(byHand)).toBe('acme.models-apply applies')
    const again = await trust('acme/models', cwd)
    expect(done(again)[2]).toMatch(/^kept/)
    expect(again.stdout).toContain('apply everything that differs, once these reviewers agree')
  })

  it('given again loosens nothing that no option names', async () => {
    const cwd = await repository()
    const workflow = 'acme/models/.github/workflows/apply.yml@refs/heads/main'
    await trust('acme/models', cwd, `--job-workflow-ref ${workflow}`)
    const own = { repository_id: '11', ...PUSH, job_workflow_ref: workflow }
    expect(done(await trust('acme/models', cwd))[2]).toMatch(/^kept/)
    await trust('acme/models', cwd, '--runs-by-hand')
    expect(await inJob({ ...own, event_name: 'workflow_dispatch' })).toBe('acme.models-apply applies')
    expect(await inJob({ ...own, job_workflow_ref: workflow.replace('apply', 'evil') })).toBe('acme.models-plan')
    await trust('acme/models', cwd, `--job-workflow-ref ${workflow.replace('apply', 'deploy')}`)
    expect(await inJob(own)).toBe('acme.models-plan')
  })

  it('writes nothing through a link that leads out of the repository', async () => {
    const cwd = await repository()
    const outside = workspace({ 'profile.txt': 'mine\n' })
    rmSync(join(cwd, '.github/CODEOWNERS'), { force: true })
    symlinkSync(join(outside, 'profile.txt'), join(cwd, '.github/CODEOWNERS'))
    expect(done(await trust('acme/models', cwd)).at(-1)).toBe(
      'kept    .github/CODEOWNERS: it is a link; add there: /models/holdfast.yaml @acme',
    )
    expect(readFileSync(join(outside, 'profile.txt'), 'utf8')).toBe('mine\n')
  })

  it('prints commands that are what they say, whatever a branch is called', async () => {
    const { stdout } = await trust('acme/odd', await repository(), '--environment a&b')
    const commands = stdout.split('\n').filter((line) => line.startsWith('gh ') && !line.endsWith("<<'END'"))
    const script = ['gh() { printf "%s\\n" "$@"; }', ...commands].join('\n')
    const words = execFileSync('bash', ['-c', script], { cwd: workspace({}), encoding: 'utf8' }).split('\n')
    expect(words).toEqual(expect.arrayContaining(["name=it's;$(id)>x&", server.url]))
    expect(words).toContain('repos/acme/odd/environments/a%26b/deployment-branch-policies')
  })

  it.each([
    ['an address of the platform', { HOLDFAST_URL: '' }, 'give the address by which the jobs reach the platform'],
    ['GitHub', { GITHUB_API_URL: 'http://127.0.0.1:64999' }, '/repos/acme/models cannot be reached'],
    ['the platform', { HOLDFAST_URL: 'http://127.0.0.1:64999' }, 'http://127.0.0.1:64999'],
  ])('without %s says so, and leaves everything as it is', async (_, env, message) => {
    const cwd = await repository()
    const outcome = await run('trust github acme/models', cwd, { HOLDFAST_TOKEN: token, ...env })
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
    expect(existsSync(join(cwd, 'models/github.yaml')) || existsSync(join(cwd, '.github/CODEOWNERS'))).toBe(false)
  })

  it.each([
    ['acme', '"acme" is no repository of GitHub; write OWNER/NAME'],
    ['acme/none', 'GitHub shows no repository acme/none (status 404); check the name; for a private repository'],
  ])('%s', async (name, message) => {
    expect((await trust(name, await repository())).stderr).toContain(message)
  })
})

function diagnosticsOf({ stdout }: Outcome): unknown {
  const { diagnostics, plan } = JSON.parse(stdout) as { diagnostics?: unknown; plan?: { diagnostics: unknown } }
  return diagnostics ?? plan?.diagnostics ?? []
}
