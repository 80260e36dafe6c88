import { afterAll, beforeAll, expect, it } from 'vitest'
import { githubActionsRules } from '../../src/auth/github-actions.ts'
import { createDelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { updateRecord } from '../../src/platform/records/change-record.ts'
import { holdfast, type Outcome } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import { makeMachine } from '../support/access.ts'
import { environmentOf } from '../support/fake-github-environment.ts'
import { fakeGitHub } from '../support/fake-github.ts'
import { startLoginServer, type LoginServer } from '../support/login-server.ts'
import { startFakeActions, type FakeActions } from './fake-actions.ts'

// Two repositories with jobs of their own on one platform, as docs/how-to/github.md sets them up.

const STORY = { timeout: 180_000 }
const OWNER_ID = '583231'
const IDS = { 'acme/one': '1296269', 'acme/two': '1296270' } as const
type Name = keyof typeof IDS

const SOURCE = 'dataSources: [{ code: weather, name: Weather }]\n'
const ORGANIZATION = 'organizations: [{ name: Lindenhof, alias: lindenhof }]\n'

let actions: FakeActions
let server: LoginServer
beforeAll(async () => {
  actions = await startFakeActions()
  server = await startLoginServer({ allowedOrigins: [actions.origin] })
  const rules = await Promise.all(Object.keys(IDS).map((name) => trust(name as Name)))
  await createDelegatedMethod(server.context, {
    status: 'ACTIVATED',
    configuration: { clientId: server.url, issuer: actions.issuer, rules: rules.flat() },
  })
})
afterAll(async () => {
  await server.close()
  await actions.close()
})

/** As `holdfast trust github` does: two machine users for each repository. */
async function trust(name: Name) {
  const prefix = name.replace('/', '.')
  for (const login of [`${prefix}-plan`, `${prefix}-apply`]) await makeMachine(server.context, login)
  const rules = githubActionsRules({
    repositoryId: IDS[name],
    repositoryOwnerId: OWNER_ID,
    environment: 'production',
    ref: 'refs/heads/main',
    runsByHand: true,
    selfHostedRunners: false,
    jobWorkflowRef: null,
    planMachineUser: `${prefix}-plan`,
    applyMachineUser: `${prefix}-apply`,
  })
  return rules.map((rule) => ({ ...rule, name: `${name}: ${rule.name}` }))
}

type Files = { readonly [path: string]: string }

/** A job of a repository, of a run that somebody starts by hand or that looks for drift. */
async function job(name: Name, line: string, files: Files, env: Files = {}): Promise<Outcome> {
  const event_name = line.includes('--drift-issue') ? 'schedule' : 'workflow_dispatch'
  const claims = {
    repository: name,
    repository_id: IDS[name],
    repository_owner_id: OWNER_ID,
    event_name,
    ref: 'refs/heads/main',
    runner_environment: 'github-hosted',
    environment: 'production',
  }
  const cwd = workspace({ '.git/config': '', ...files })
  const variables = { GITHUB_REPOSITORY: name, ...env, ...actions.job(claims) }
  return holdfast(`${line} --url ${server.url}`, { cwd, env: variables, fetch: (request) => fetch(request) })
}

const ONE = { 'models/a.yaml': SOURCE }
const TWO = { 'models/b.yaml': ORGANIZATION }

async function editedByHand(name: string): Promise<void> {
  await updateRecord({ ...server.context, actorName: 'grace' }, 'dataSources', 'weather', { name }, [])
}

async function driftIssues(run: number) {
  const env = environmentOf(github, { event: 'schedule', commit: '1'.repeat(40), run })
  const { code, stderr } = await job('acme/one', 'plan --drift-issue', ONE, {
    ...env,
    GITHUB_REPOSITORY: github.repository,
  })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return github.issues().filter(({ user }) => user === github.login)
}

let github: Awaited<ReturnType<typeof fakeGitHub>>

it('the second repository starts, and the drift of the first one goes on being found', STORY, async () => {
  github = await fakeGitHub()
  expect(await job('acme/one', 'apply --yes', ONE)).toMatchObject({ code: 0 })
  await editedByHand('Hers')
  expect(await driftIssues(1)).toMatchObject([{ state: 'open', title: expect.stringContaining('Drift: 1 record') }])
  expect(await job('acme/one', 'apply --yes', ONE)).toMatchObject({ code: 0 })
  expect(await driftIssues(2)).toMatchObject([{ state: 'closed' }])

  const second = await job('acme/two', 'apply --yes', TWO)
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('Applied: 1 record created') })
  expect(second.stdout).toContain('managed by acme/one')

  await editedByHand('Hers again')
  const [issue] = await driftIssues(3)
  expect(issue).toMatchObject({ state: 'open' })
  expect(issue?.body).toContain('changed on the platform by')
  const { stdout } = await job('acme/one', 'plan --format json', ONE)
  const { changes } = JSON.parse(stdout) as Plan
  expect(changes).toMatchObject([{ key: 'weather', cause: 'drift' }])
})

it(
  'each plan says whose the other types are, and a type that is taken over has to be acknowledged',
  STORY,
  async () => {
    const both = { ...TWO, 'models/c.yaml': SOURCE }
    const plan = await job('acme/two', 'plan --format markdown', TWO)
    expect(plan.stdout).toContain('| dataSources | managed by `acme/one`: 1 record untouched |')
    const refused = await job('acme/two', 'apply --yes', both)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('dataSources belong to acme/one')
    expect(refused.stdout).toContain('takes-ownership')

    const taking = 'acknowledge: [{ code: takes-ownership, type: dataSources, reason: Ours now }]\n'
    const taken = await job('acme/two', 'apply --yes', { ...both, 'models/holdfast.yaml': taking })
    expect(taken).toMatchObject({ code: 0 })
    const before = await job('acme/one', 'plan', ONE)
    expect(before.stdout).toContain('dataSources belong to acme/two')
    const without = await job('acme/one', 'plan', { 'models/a.yaml': 'metadataTypes: []\n' })
    expect(without.stdout).toMatch(/^No changes.*; 2 types are managed by acme\/two/)
    const history = await job('acme/one', 'history --format json', ONE)
    const { applies } = JSON.parse(history.stdout) as { applies: readonly { origin: { owner?: string } | null }[] }
    expect(applies[0]?.origin?.owner).toBe('acme/two')
  },
)
