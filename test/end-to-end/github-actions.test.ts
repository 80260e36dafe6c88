import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JWTPayload } from 'jose'
import { createDelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { models } from '../reconcile/sample.ts'
import { holdfast, type Outcome } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import { makeMachine } from '../support/access.ts'
import { startLoginServer, type LoginServer } from '../support/login-server.ts'
import { startFakeActions, type FakeActions } from './fake-actions.ts'

// The commands in jobs of a repository: they sign in with GitHub's token, and nothing is stored anywhere.

const PULL_REQUEST = {
  repository_id: '1296269',
  repository_owner_id: '583231',
  event_name: 'pull_request',
  ref: 'refs/pull/7/merge',
  runner_environment: 'github-hosted',
}
const PUSH = { ...PULL_REQUEST, event_name: 'push', ref: 'refs/heads/main', environment: 'production' }

let actions: FakeActions
let server: LoginServer
beforeAll(async () => {
  actions = await startFakeActions()
  server = await startLoginServer({ allowedOrigins: [actions.origin] })
  for (const login of ['github-plan', 'github-apply']) await makeMachine(server.context, login)
  await createDelegatedMethod(server.context, {
    status: 'ACTIVATED',
    configuration: {
      clientId: server.url,
      issuer: actions.issuer,
      githubActions: {
        repositoryId: PUSH.repository_id,
        repositoryOwnerId: PUSH.repository_owner_id,
        environment: 'production',
        planMachineUser: 'github-plan',
        applyMachineUser: 'github-apply',
      },
    },
  })
})
afterAll(async () => {
  await server.close()
  await actions.close()
})

/** The model of the server's other types stays as it is. */
const RELEASED = '--allow leaves-scope:applicationConsumers --allow leaves-scope:users'

async function inJob(line: string, claims: JWTPayload, model = models('a')): Promise<Outcome> {
  const cwd = workspace({ 'models/a.json': model })
  return holdfast(`${line} --url ${server.url}`, { cwd, env: actions.job(claims), fetch: (request) => fetch(request) })
}

describe('a job for a pull request', () => {
  it('plans', async () => {
    const { code, stdout } = await inJob(`plan ${RELEASED}`, PULL_REQUEST)
    expect(stdout).toMatch(/^Plan: 1 to create/)
    expect(code).toBe(0)
  })

  it.each([`apply --yes ${RELEASED}`, 'history', 'export'])(
    'does nothing that another job could do, and says which: %s',
    async (line) => {
      const { code, stderr } = await inJob(line, PULL_REQUEST)
      expect(stderr).toContain('event_name is "pull_request" and must be "push"')
      expect(stderr).not.toContain('{')
      expect(code).toBe(1)
    },
  )

  it.each(['invite ann@example.org', 'keys rotate'])('does nothing that no job may do: %s', async (line) => {
    const { code, stderr } = await inJob(line, PULL_REQUEST)
    expect(stderr).toMatch(
      /needs a token with the scope .*; this one has only model:plan; the fitting rule of the authentication method/,
    )
    expect(code).toBe(1)
  })

  it('is told by doctor that it can plan only, which is well', async () => {
    const { stdout } = await inJob('doctor', PULL_REQUEST)
    expect(stdout).toMatch(/^ok +credential +github-plan at domain /m)
    expect(stdout).toMatch(/^ok +rights +enough for plan; apply needs a token with the scope model:apply or service/m)
  })
})

describe('a job for a push to the protected branch, in the environment', () => {
  it('applies, and the history says who it was', async () => {
    const { code, stdout, stderr } = await inJob(`apply --yes ${RELEASED}`, PUSH)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toMatch(/^Applied: 1 record created/m)
    const history = await inJob('history --format json', PUSH)
    const { applies } = JSON.parse(history.stdout) as { applies: readonly { actor: string }[] }
    expect(applies[0]?.actor).toBe('github-apply')
  })
})

describe('a job that is somebody else gets nothing', () => {
  it.each<[string, JWTPayload]>([
    ["a stranger's repository", { ...PUSH, repository_id: '1' }],
    ['a repository of the same number under another owner', { ...PUSH, repository_owner_id: '1' }],
    ['pull_request_target', { ...PULL_REQUEST, event_name: 'pull_request_target' }],
  ])('%s', async (_, claims) => {
    const { code, stderr } = await inJob('plan', claims)
    expect(stderr).toMatch(/^error: .*; this needs an ACTIVATED OpenID delegated authentication method/m)
    expect(code).toBe(1)
  })

  it.each<[string, JWTPayload, string]>([
    ['a push to another branch', { ...PUSH, ref: 'refs/heads/feature' }, 'ref is "refs/heads/feature"'],
    ['a push without the environment', { ...PUSH, environment: undefined }, 'environment is none'],
    ["a machine that is not GitHub's", { ...PUSH, runner_environment: 'self-hosted' }, 'is "self-hosted"'],
  ])('%s can plan, and not apply', async (_, claims, difference) => {
    expect((await inJob('plan', claims)).code).toBe(0)
    const { stderr } = await inJob('apply --yes', claims, models('a', 'b'))
    expect(stderr).toContain(`by the rule "apply" of its authentication method: `)
    expect(stderr).toContain(`${difference} and must be "`)
  })
})
