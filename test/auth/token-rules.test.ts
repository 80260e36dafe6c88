import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  claimDifferences,
  explainMisfits,
  fittingRule,
  type Claims,
  type FederationRule,
} from '../../src/auth/token-rules.ts'
import { githubActionsRules, type GithubActionsTrust } from '../../src/auth/github-actions.ts'

const MICROSOFT = 'https://login.microsoftonline.com/00000000-0000-4000-8000-000000000000/v2.0'

function rule(claims: FederationRule['claims'], name = 'rule'): FederationRule {
  return { name, claims, machineUser: null, scopes: ['model:plan'] }
}

describe('a federation rule fits', () => {
  it.each([
    ['the value', { hd: 'example.com' }, { hd: 'example.com' }],
    ['one of several values', { event: ['push', 'schedule'] }, { event: 'schedule' }],
    ['a list that has the value', { groups: 'staff' }, { groups: ['guests', 'staff'] }],
    ['a list that has one of several values', { groups: ['staff', 'admins'] }, { groups: ['admins'] }],
    ['a number, as digits', { project_id: '17' }, { project_id: 17 }],
    ['true', { email_verified: 'true' }, { email_verified: true }],
    ['all claims at once', { a: '1', b: '2' }, { a: '1', b: '2', c: '3' }],
  ])('%s', (_, wanted, held) => {
    expect(fittingRule([rule(wanted)], held)?.name).toBe('rule')
  })

  it.each([
    ['another value', { hd: 'example.com' }, { hd: 'example.com.evil.test' }],
    ['another case', { hd: 'example.com' }, { hd: 'Example.com' }],
    ['a part of the value', { hd: 'example.com' }, { hd: 'example' }],
    ['no such claim', { hd: 'example.com' }, {}],
    ['null', { hd: 'null' }, { hd: null }],
    ['an object that says it is the value', { hd: 'x' }, { hd: { toString: 'x' } }],
    ['an empty list', { groups: 'staff' }, { groups: [] }],
    ['only one of two claims', { a: '1', b: '2' }, { a: '1', b: '3' }],
    ['what every object has', { constructor: 'x', toString: 'y' }, {}],
  ])('not %s', (_, wanted: FederationRule['claims'], held) => {
    expect(fittingRule([rule(wanted)], held)).toBeNull()
  })

  it.each([
    ['an address of which the provider says nothing', {}],
    ['an address that it has not verified', { email_verified: false }],
    ['a text in place of a word', { email_verified: 'true' }],
    ['what Microsoft says, by another provider', { xms_edov: true }],
    ['a tenant of Microsoft that does not own the domain', { iss: MICROSOFT, xms_edov: false }],
  ])('not %s', (_, told) => {
    const boss = { iss: 'https://id.example.com', email: 'boss@example.com', ...told }
    expect(fittingRule([rule({ email: 'boss@example.com' })], boss)).toBeNull()
    expect(claimDifferences({ email: 'boss@example.com' }, boss)).toStrictEqual([
      'email is "boss@example.com" (not verified) and must be "boss@example.com"',
    ])
  })

  it.each([{ email_verified: true }, { iss: MICROSOFT, xms_edov: '1' }])('a verified address: %j', (told) => {
    const boss = { iss: 'https://id.example.com', email: 'boss@example.com', ...told }
    expect(fittingRule([rule({ email: 'boss@example.com' })], boss)?.name).toBe('rule')
  })

  it('by the first one that does', () => {
    const rules = [rule({ a: '2' }, 'second'), rule({ b: '1' }, 'first'), rule({ a: '1' }, 'third')]
    expect(fittingRule(rules, { a: '1', b: '1' })?.name).toBe('first')
  })

  it('whatever it is, only when each of its claims is held', () => {
    const value = fc.constantFrom('a', 'b', 'c')
    const claims = fc.dictionary(fc.constantFrom('p', 'q', 'r'), value, { minKeys: 1 })
    fc.assert(
      fc.property(claims, fc.dictionary(fc.constantFrom('p', 'q', 'r', 's'), value), (wanted, held) => {
        const isHeld = Object.entries(wanted).every(([claim, one]) => held[claim] === one)
        expect(fittingRule([rule(wanted)], held) !== null).toBe(isHeld)
      }),
    )
  })
})

it('no rule fits: the holder of the token is told what it holds, not what was wanted', () => {
  const text = explainMisfits([rule({ hd: 'secret.example' }, 'staff')], { hd: 'evil.test' })
  expect(text).toBe('"staff" wants another hd than "evil.test"')
})

const TRUST: GithubActionsTrust = {
  repositoryId: '1234',
  repositoryOwnerId: '99',
  ref: 'refs/heads/main',
  environment: 'production',
  jobWorkflowRef: null,
  selfHostedRunners: false,
  runsByHand: false,
  planMachineUser: 'planner',
  applyMachineUser: 'applier',
}

/** As https://docs.github.com/en/actions/reference/security/oidc shows a token. */
function job(claims: Claims): Claims {
  return {
    sub: 'repo:octo-org/octo-repo:environment:production',
    repository: 'octo-org/octo-repo',
    repository_id: '1234',
    repository_owner_id: '99',
    event_name: 'push',
    ref: 'refs/heads/main',
    environment: 'production',
    runner_environment: 'github-hosted',
    job_workflow_ref: 'octo-org/octo-repo/.github/workflows/apply.yml@refs/heads/main',
    ...claims,
  }
}

function outcome(claims: Claims, trust: Partial<GithubActionsTrust> = {}): string {
  return fittingRule(githubActionsRules({ ...TRUST, ...trust }), job(claims))?.name ?? 'nothing'
}

describe('a job of GitHub Actions', () => {
  it.each([
    ['apply', 'a push to the branch, in the environment', {}],
    ['plan', 'a push to another branch', { ref: 'refs/heads/feature' }],
    ['plan', 'a push outside of the environment', { environment: undefined }],
    ['plan', 'a push in another environment', { environment: 'staging' }],
    ['plan', 'a push on a machine of somebody else', { runner_environment: 'self-hosted' }],
    ['plan', 'a pull request', { event_name: 'pull_request', ref: 'refs/pull/7/merge', environment: undefined }],
    ['plan', 'a pull request that claims the branch and environment', { event_name: 'pull_request' }],
    ['plan', 'the merge queue', { event_name: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-7' }],
    ['plan', 'a schedule on the branch', { event_name: 'schedule' }],
    ['plan', 'a start by hand on the branch, in the environment', { event_name: 'workflow_dispatch' }],
    ['plan', 'a start by hand without the environment', { event_name: 'workflow_dispatch', environment: undefined }],
    ['plan', 'a start by hand on another branch', { event_name: 'workflow_dispatch', ref: 'refs/heads/feature' }],
    ['nothing', 'pull_request_target', { event_name: 'pull_request_target' }],
    ['nothing', 'a run after another one', { event_name: 'workflow_run' }],
    ['nothing', 'a comment', { event_name: 'issue_comment' }],
    ['nothing', "a stranger's repository of the same name", { repository_id: '666' }],
    ['nothing', 'the repository in the hands of a stranger', { repository_owner_id: '666' }],
    ['nothing', 'a token without the number of its repository', { repository_id: undefined }],
  ])('gets %s: %s', (expected, _, claims) => {
    expect(outcome(claims)).toBe(expected)
  })

  it('can be held to one workflow for an apply', () => {
    const jobWorkflowRef = 'octo-org/octo-repo/.github/workflows/apply.yml@refs/heads/main'
    expect(outcome({}, { jobWorkflowRef })).toBe('apply')
    expect(outcome({ job_workflow_ref: jobWorkflowRef.replace('apply.yml', 'other.yml') }, { jobWorkflowRef })).toBe(
      'plan',
    )
  })

  it('may apply on machines of its own where that is said', () => {
    expect(outcome({ runner_environment: 'self-hosted' }, { selfHostedRunners: true })).toBe('apply')
  })

  it('may apply when somebody starts it by hand where that is said, on the branch and in the environment', () => {
    const claims = [{}, { ref: 'refs/heads/feature' }, { environment: undefined }]
    const outcomes = claims.map((more) => outcome({ event_name: 'workflow_dispatch', ...more }, { runsByHand: true }))
    expect(outcomes).toEqual(['apply', 'plan', 'plan'])
  })

  it('that plans can do nothing but plan', () => {
    const rules = githubActionsRules(TRUST)
    expect(rules.map(({ name, machineUser, scopes }) => ({ name, machineUser, scopes }))).toStrictEqual([
      { name: 'apply', machineUser: 'applier', scopes: ['model:plan', 'model:apply'] },
      { name: 'plan', machineUser: 'planner', scopes: ['model:plan'] },
    ])
  })

  it('never gets anything by what its subject says', () => {
    const rules = githubActionsRules(TRUST)
    expect(rules.flatMap(({ claims }) => Object.keys(claims))).not.toContain('sub')
  })
})
