import { describe, expect, it } from 'vitest'
import { ONLY_ME, ruleDigest, type FederationRule } from '../../src/auth/token-rules.ts'
import { DEFAULT_REF } from '../../src/auth/github-actions.ts'
import {
  activationProblems,
  adviceOn,
  adviceOnUsers,
  completeConfiguration,
  configurationProblems,
  rulesOf,
  scopesOfRule,
  storedConfiguration,
  type ConfigurationInput,
} from '../../src/auth/method-configuration.ts'
import { DEFAULT_SCOPES } from '../../src/auth/scopes.ts'
import { definition } from '../../src/records/shape.ts'

const GITHUB = 'https://token.actions.githubusercontent.com'
const TRUST = {
  repositoryId: '1234',
  repositoryOwnerId: '99',
  environment: 'production',
  planMachineUser: 'planner',
  applyMachineUser: 'applier',
}

function problems(input: Partial<ConfigurationInput>, allowed: readonly string[] = []): string[] {
  const configuration = completeConfiguration({ clientId: 'holdfast', issuer: 'https://login.example.com', ...input })
  return configurationProblems(configuration, allowed)
}

function activation(input: Partial<ConfigurationInput>): string[] {
  const configuration = completeConfiguration({ clientId: 'holdfast', issuer: 'https://login.example.com', ...input })
  return activationProblems(configuration)
}

function advice(input: Partial<ConfigurationInput>): string | null {
  return adviceOn(completeConfiguration({ clientId: 'holdfast', issuer: 'https://login.example.com', ...input }))
}

function onUsers(input: Partial<ConfigurationInput>): string | null {
  return adviceOnUsers(completeConfiguration({ clientId: 'holdfast', issuer: 'https://login.example.com', ...input }))
}

it('clientId and issuer are enough, as the specification has it', () => {
  expect(problems({})).toStrictEqual([])
  expect(activation({})).toStrictEqual([])
  expect(completeConfiguration({ clientId: 'a', issuer: 'https://b.example' })).toStrictEqual({
    clientId: 'a',
    issuer: 'https://b.example',
    scopes: ['openid', 'service'],
    emailDomains: [],
    matchesUsers: true,
    rules: [],
    githubActions: null,
  })
})

it('an account may do what the rule allows that let it in, and nothing by a rule that is not there', () => {
  const configuration = completeConfiguration({
    clientId: 'a',
    issuer: 'https://b.example',
    rules: [
      { name: 'staff', claims: { hd: 'b.example' }, scopes: ['model:read'] },
      { name: 'robot', claims: { hd: 'robots.example' }, machineUser: 'robot', scopes: ['model:apply'] },
      { name: 'other', claims: { hd: 'c.example' }, machineUser: 'other', scopes: ['data:read'] },
    ],
  })
  const harmless = ['openid', 'email', 'profile']
  const [staff, robot] = configuration.rules.map(ruleDigest)
  const scopes = (rule: string | null = null, machineUser: string | null = null) =>
    scopesOfRule(configuration, { rule, machineUser })
  expect(scopes(staff)).toStrictEqual([...harmless, 'model:read'])
  expect(scopes(robot, 'robot')).toStrictEqual([...harmless, 'model:apply'])
  expect(scopes(ONLY_ME)).toStrictEqual(harmless)
  for (const [rule, machineUser] of [[robot], [staff, 'robot'], [ruleDigest(null)], [null], ['unknown']] as const)
    expect(scopes(rule, machineUser)).toBeNull()
  const open = completeConfiguration({ clientId: 'a', issuer: 'https://b.example', scopes: ['data:read'] })
  for (const rule of [ruleDigest(null), null])
    expect(scopesOfRule(open, { rule, machineUser: null })).toStrictEqual([...harmless, 'data:read'])
  expect(scopesOfRule(open, { rule: staff ?? null, machineUser: null })).toBeNull()
})

it('of an older release is read, and trusts no address', () => {
  const old = { clientId: 'a', issuer: 'https://b.example', scopes: ['openid'], rules: [], githubActions: null }
  expect(storedConfiguration(old)).toStrictEqual({
    ...old,
    emailDomains: [],
    matchesUsers: false,
  })
})

const rules = (claims: FederationRule['claims']) => [{ name: 'ours', claims, scopes: ['openid'] }]

describe('users of the model', () => {
  const google = 'https://accounts.google.com'

  it.each<[string, Partial<ConfigurationInput>, RegExp]>([
    ['are told to name domains for administrators', {}, /nobody is an administrator by this method\. .* emailDomains/],
    ['cannot sign in by a method that is not confirmed', { matchesUsers: false }, /cannot sign in .* Set matchesUsers/],
    ['nor by an issuer that signs for strangers', { issuer: google }, /cannot sign in by it until rules/],
    ['nor by one whose rule they fit', { issuer: google, rules: rules({ email_verified: 'true' }) }, /until rules/],
    ['but by one whose rules pin the tenant', { issuer: google, rules: rules({ hd: 'b.example' }) }, /^A verified/],
  ])('%s', (_, input, advised) => {
    expect(onUsers(input)).toMatch(advised)
  })

  it('need no advice where emailDomains names their domains', () => {
    expect(onUsers({ emailDomains: ['example.com'] })).toBeNull()
    expect(onUsers({ emailDomains: ['example.com'], matchesUsers: false })).toBeNull()
  })
})

it('of a release that knew nothing of runs by hand lets none of them apply', () => {
  const { runsByHand: _, ...githubActions } = completeConfiguration({
    clientId: 'a',
    issuer: GITHUB,
    githubActions: { ...TRUST, runsByHand: true },
  }).githubActions!
  const old = { clientId: 'a', issuer: GITHUB, scopes: ['openid'], emailDomains: [], rules: [], githubActions }
  expect(rulesOf(storedConfiguration(old)).map(({ name, claims }) => [name, claims['event_name']])).toEqual([
    ['apply', 'push'],
    ['plan', expect.arrayContaining(['workflow_dispatch'])],
  ])
})

describe('the domains of e-mail addresses', () => {
  it('have one spelling', () => {
    const { emailDomains } = completeConfiguration({
      clientId: 'a',
      issuer: 'https://b.example',
      emailDomains: ['Example.COM', 'example.com', 'Bücher.example', 'mail.example.com'],
    })
    expect(emailDomains).toStrictEqual(['example.com', 'xn--bcher-kva.example', 'mail.example.com'])
    expect(problems({ emailDomains })).toStrictEqual([])
  })

  it.each([
    ['*.example.com', /is a pattern/],
    ['@example.com', /is an address/],
    ['ann@example.com', /is an address/],
    ['com', /in which anybody can register/],
    ['co.uk', /in which anybody can register/],
    ['localhost', /in which anybody can register/],
    ['', /is no domain/],
    ['example..com', /is no domain/],
    ['exam ple.com', /is no domain/],
    ['https://example.com', /is no domain/],
    ['127.0.0.1', /is no domain/],
    ['ｅxample.com', /is no domain/],
    ['somewhere.invalid', /is no domain/],
  ])('cannot be %j', (domain, reason) => {
    expect(problems({ emailDomains: [domain] })).toStrictEqual([expect.stringMatching(reason)])
  })

  it('are a hundred at most', () => {
    const domains = Array.from({ length: 101 }, (_, index) => `d${index}.example`)
    expect(problems({ emailDomains: domains })).toStrictEqual([expect.stringMatching(/101 domains, and at most 100/)])
    expect(problems({ emailDomains: domains.slice(1) })).toStrictEqual([])
  })
})

describe('a configuration is refused with', () => {
  it.each<[string, Partial<ConfigurationInput>, RegExp]>([
    ['no clientId', { clientId: '' }, /^clientId must/],
    ['an issuer that is no address', { issuer: 'login.example.com' }, /^issuer must be an address/],
    ['a query in the issuer', { issuer: 'https://login.example.com/?a=b' }, /^issuer must be an address/],
    ['a password in the issuer', { issuer: 'https://me:secret@login.example.com' }, /^issuer must be an address/],
    ['plain http', { issuer: 'http://login.example.com' }, /https.*HOLDFAST_ALLOWED_ISSUERS/],
    ['a file', { issuer: 'file:///etc/passwd' }, /https/],
    ['a misspelled scope', { scopes: ['servcie'] }, /"servcie".*Did you mean "service"/],
    [
      'a rule that looks at nothing',
      { rules: [{ name: 'all', claims: {}, scopes: ['service'] }] },
      /at least one claim/,
    ],
    ['claims that are a list', { rules: [{ name: 'x', claims: ['sub'], scopes: ['service'] }] }, /must be an object/],
    [
      'an empty value',
      { rules: [{ name: 'x', claims: { hd: '' }, scopes: ['service'] }] },
      /claims\.hd must be a text/,
    ],
    ['no values', { rules: [{ name: 'x', claims: { hd: [] }, scopes: ['service'] }] }, /claims\.hd must be a text/],
    [
      'a number for a value',
      { rules: [{ name: 'x', claims: { id: 1 }, scopes: ['service'] }] },
      /claims\.id must be a text/,
    ],
    ['a rule that allows nothing', { rules: [{ name: 'x', claims: { hd: 'a' }, scopes: [] }] }, /must name what/],
    [
      'a character that cannot be stored',
      { rules: [{ name: 'x', claims: { hd: 'a\0' }, scopes: ['service'] }] },
      /U\+0000/,
    ],
    ['GitHub rules for another issuer', { githubActions: TRUST }, /needs the issuer https:\/\/token/],
    [
      'a name for a number',
      { issuer: GITHUB, githubActions: { ...TRUST, repositoryId: 'octo-repo' } },
      /repositoryId must be/,
    ],
    ['a short branch name', { issuer: GITHUB, githubActions: { ...TRUST, ref: 'main' } }, /full reference/],
    ['no environment', { issuer: GITHUB, githubActions: { ...TRUST, environment: ' ' } }, /environment must be/],
  ])('%s', (_, input, message) => {
    expect(problems(input).join('\n')).toMatch(message)
  })

  it('two rules of one name', () => {
    const rule = { name: 'staff', claims: { hd: 'a' }, scopes: ['service'] }
    expect(problems({ rules: [rule, rule] })).toStrictEqual(['two rules have the name "staff"'])
  })

  it('everything that is wrong at once', () => {
    expect(problems({ clientId: ' ', issuer: 'x', scopes: ['a', 'b'] })).toHaveLength(4)
  })
})

it('http is possible for the origins that the server allows', () => {
  expect(problems({ issuer: 'http://127.0.0.1:4000' }, ['http://127.0.0.1:4000'])).toStrictEqual([])
  expect(problems({ issuer: 'http://127.0.0.1:4001' }, ['http://127.0.0.1:4000'])).toHaveLength(1)
})

describe('an issuer with many tenants', () => {
  it.each([
    GITHUB,
    `${GITHUB}/some-enterprise`,
    'https://gitlab.com',
    'https://accounts.google.com',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://appleid.apple.com',
    'https://agent.buildkite.com',
  ])('%s can be activated without rules, and that is advised against', (issuer) => {
    expect(activation({ issuer })).toStrictEqual([])
    expect(advice({ issuer })).toMatch(/signs tokens for .* have no rights until they are granted some\. Rules say who/)
    expect(advice({ issuer, emailDomains: ['example.com'] })).toMatch(
      /act as a user of this domain where they have ever/,
    )
    expect(advice({ issuer, rules: [{ name: 'ours', claims: { sub: '1' }, scopes: ['openid'] }] })).toBeNull()
  })

  it.each(['common', 'organizations', 'example.com'])('of Microsoft, %s, never signs: that is said', (tenant) => {
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`
    expect([...problems({ issuer }), ...activation({ issuer })]).toStrictEqual([])
    expect(advice({ issuer })).toMatch(/nobody can sign in; use .*<tenant id>/)
  })

  it('may let strangers know who they are, and no more', () => {
    const rule = { name: 'open', claims: { email_verified: 'true' }, scopes: ['openid', 'email'] }
    expect(activation({ issuer: 'https://accounts.google.com', rules: [rule] })).toStrictEqual([])
    const asMachine = activation({ issuer: 'https://accounts.google.com', rules: [{ ...rule, machineUser: 'x' }] })
    expect(asMachine).toHaveLength(1)
  })

  it('is not the tenant of one company', () => {
    expect(
      activation({ issuer: 'https://login.microsoftonline.com/0f8fad5b-d9cb-469f-a165-70867728950e/v2.0' }),
    ).toStrictEqual([])
    expect(activation({ issuer: 'https://gitlab.example.com' })).toStrictEqual([])
    expect(advice({ issuer: 'https://gitlab.example.com' })).toBeNull()
  })

  it.each<[string, string, { [claim: string]: string | string[] }]>([
    ['an event, whoever has it', GITHUB, { event_name: 'push' }],
    ['a name that somebody else can take', GITHUB, { event_name: 'push', repository: 'octo-org/octo-repo' }],
    ['a verified address, whoever has it', 'https://accounts.google.com', { email_verified: 'true' }],
    ['a branch', 'https://gitlab.com', { ref: 'main' }],
  ])('needs rules that name the tenant, not %s', (_, issuer, claims) => {
    const rules = [{ name: 'open', claims, scopes: ['model:plan'] }]
    expect(activation({ issuer, rules })).toStrictEqual([expect.stringMatching(/"open" would let in strangers/)])
  })

  it.each<[string, { [claim: string]: string | string[] }]>([
    ['https://accounts.google.com', { hd: 'example.com' }],
    ['https://gitlab.com', { project_id: '17', ref: 'main' }],
    [GITHUB, { repository_id: '1234', event_name: ['push'] }],
  ])('%s can be activated with such rules', (issuer, claims) => {
    expect(activation({ issuer, rules: [{ name: 'ours', claims, scopes: ['model:plan'] }] })).toStrictEqual([])
  })

  it('GitHub can be activated with its ready rules', () => {
    expect(problems({ issuer: GITHUB, githubActions: TRUST })).toStrictEqual([])
    expect(activation({ issuer: GITHUB, githubActions: TRUST })).toStrictEqual([])
  })

  it.each([{}, { event_name: 'pull_request_target' }, { event_name: ['push', 'pull_request_target'] }])(
    "a rule for GitHub cannot leave the event open, nor take strangers' pull requests: %j",
    (claims) => {
      const rules = [{ name: 'wide', claims: { repository_id: '1234', ...claims }, scopes: ['model:plan'] }]
      expect(problems({ issuer: GITHUB, rules })).toStrictEqual([expect.stringMatching(/"wide" must name the events/)])
    },
  )
})

it.each([
  ['OpenIdDelegatedConfiguration', 'scopes', DEFAULT_SCOPES.join(' ')],
  ['GithubActionsTrust', 'ref', DEFAULT_REF],
])('what is said of %s names what holds where %s is left out', (part, field, byDefault) => {
  expect(definition(part).properties?.[field]?.create?.description).toContain(`Left out: ${byDefault}.`)
})
