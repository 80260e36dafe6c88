import { beforeEach, describe, expect, it } from 'vitest'
import type { AccessContext } from '../../../src/platform/access/access-context.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { signInDelegated } from '../../../src/platform/access/delegated/delegated.ts'
import { listIdentities } from '../../../src/platform/access/delegated/identity/identities.ts'
import { createDelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { makeMachine } from '../../support/access.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'
import { AUDIENCE, makeIssuer, withIssuers } from '../../support/foreign-issuer.ts'
import { oneDomain } from '../one-domain.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const github = await makeIssuer('https://token.actions.githubusercontent.com', () => NOW)

function trust(context: AccessContext, terms: object) {
  const configuration = { clientId: AUDIENCE, issuer: github.issuer, ...terms }
  return createDelegatedMethod(context, { status: 'ACTIVATED', configuration })
}

/** What administrators are told. */
async function noted(context: AccessContext) {
  const everything = { account: null, method: null, isRefused: true }
  const [found] = await listIdentities(context, everything, { first: 1, after: null })
  return [found?.item.refusal, found?.item.refusalDetail]
}

describe('a job of GitHub Actions', () => {
  const domain = oneDomain()
  let context: DomainContext

  const repository = {
    sub: 'repo:octo-org/octo-repo:ref:refs/heads/main',
    repository_id: '1234',
    repository_owner_id: '99',
    ref: 'refs/heads/main',
    runner_environment: 'github-hosted',
  }
  const push = { ...repository, event_name: 'push', environment: 'production' }
  const pullRequest = { ...repository, event_name: 'pull_request', ref: 'refs/pull/7/merge' }

  beforeEach(async () => {
    context = withIssuers({ ...domain(), now: () => NOW }, [github])
    await makeMachine(context, 'planner')
    await makeMachine(context, 'applier')
    await trust(context, {
      githubActions: {
        repositoryId: '1234',
        repositoryOwnerId: '99',
        environment: 'production',
        planMachineUser: 'planner',
        applyMachineUser: 'applier',
      },
    })
  })

  it('in a pull request plans and can do nothing else', async () => {
    const actor = await identifyBearer(context, await github.sign(pullRequest))
    expect(actor?.name).toBe('planner')
    expect([...(actor?.rights ?? [])].sort()).toStrictEqual(['domain:read', 'model:plan', 'self:read'])
  })

  it('on the protected branch and environment applies', async () => {
    const actor = await identifyBearer(context, await github.sign(push))
    expect(actor).toMatchObject({ name: 'applier', scopes: ['model:plan', 'model:apply'] })
    expect(actor?.rights.has('access:admin')).toBe(false)
  })

  it.each([
    ["a stranger's repository", { ...push, repository_id: '666', repository_owner_id: '667' }],
    ['pull_request_target', { ...push, event_name: 'pull_request_target' }],
    ['a job that says little', { sub: push.sub }],
  ])('gets nothing: %s', async (_, claims) => {
    await expect(identifyBearer(context, await github.sign(claims))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      // Neither what the rules are called nor what they want.
      message: 'the token of the other provider is not accepted: it fits no rule of its authentication method',
    })
  })

  it('creates no user', async () => {
    await identifyBearer(context, await github.sign(push))
    const { database } = context
    const people = await database.read((sql) => sql.query('select 1 from external_identities'))
    expect(people).toStrictEqual([])
  })

  it('needs its machine user to be there, and ACTIVATED', async () => {
    const token = await github.sign(push)
    await signInDelegated(context, token)
    const machineUsers = [{ username: 'applier', password: 'Correct-Horse-7!', status: 'DEACTIVATED' }]
    await applyAll(context, { machineUsers })
    await expect(signInDelegated(context, token)).rejects.toThrow(/may not sign in here$/)
    expect(await noted(context)).toStrictEqual(['not-activated', 'the machine user "applier" is DEACTIVATED'])
    const fresh = withIssuers({ ...(await makeDomain(context.database, 'fresh')), now: () => NOW }, [github])
    await trust(fresh, {
      rules: [
        {
          name: 'ours',
          claims: { repository_id: '1234', event_name: 'push' },
          machineUser: 'ghost',
          scopes: ['model:plan'],
        },
      ],
    })
    await expect(signInDelegated(fresh, token)).rejects.toThrow(/may not sign in here$/)
    expect(await noted(fresh)).toStrictEqual([
      'no-machine-user',
      'a rule names the machine user "ghost", and it does not exist',
    ])
  })
})
