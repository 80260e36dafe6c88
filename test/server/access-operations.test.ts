import { describe, expect, it } from 'vitest'
import { signInDelegated } from '../../src/platform/access/delegated/delegated.ts'
import { readPasswordLink } from '../../src/platform/access/accounts/password-links.ts'
import { signingKeys } from '../../src/platform/access/keys/signing-keys.ts'
import { fetchDomainSettings } from '../../src/store/domain-settings.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { AUDIENCE, makeIssuer, withIssuers } from '../support/foreign-issuer.ts'
import { contextOf, HOSTS, type GraphqlAnswer } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// Who may sign in to a domain, and how: as its administrators change it by GraphQL.

const SECRET = 'client-secret-Yq71Lm'
const provider = await makeIssuer('https://login.example.com')
const second = await makeIssuer('https://second.example.com')

const TRUST = `
  mutation ($issuer: String!, $clientId: String!) {
    createOpenIdDelegatedAuthenticationMethod(status: ACTIVATED, configuration: { clientId: $clientId, issuer: $issuer }) {
      uuid
      status
    }
  }`

const listed = async () =>
  (await server.data('{ passwordLinks { account email createdBy expiresAt } }'))['passwordLinks']

const set = (requiresPkce: boolean) =>
  server.data(`mutation { updateDomain(requiresPkce: ${requiresPkce}) { requiresPkce name } }`)

async function me(token: string, host: string = HOSTS.first): Promise<number> {
  const body = JSON.stringify({ query: '{ me { name } }' })
  return (await server.call({ body, host, authorization: `Bearer ${token}` })).status
}

/** Signs in by a process that reaches the provider; this server then knows the token from the database. */
async function signIn(clientId: string, by = provider): Promise<string> {
  const context = contextOf(server)
  const email = by === provider ? 'ada@example.com' : 'zoe@example.com'
  const claims = { aud: clientId, email, email_verified: true, name: 'Ada' }
  const token = await by.sign(claims)
  await signInDelegated(withIssuers(context, [by]), token)
  return token
}

async function trust(clientId: string, { issuer } = provider): Promise<string> {
  const { createOpenIdDelegatedAuthenticationMethod: method } = await server.data<{
    createOpenIdDelegatedAuthenticationMethod: { uuid: string; status: string }
  }>(TRUST, { issuer, clientId })
  expect(method).toStrictEqual({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, status: 'ACTIVATED' })
  return method.uuid
}

const rule = (name: string) => ({ name, claims: { sub: name }, scopes: ['openid'] })

describe.each(SAMPLED_DATABASES)('the administration of access on $name', (kind) => {
  useServer({ kind })

  it('createOpenIdDelegatedAuthenticationMethod, as the specification shows it, lets its users in', async () => {
    await trust(AUDIENCE)
    const token = await signIn(AUDIENCE)
    const body = JSON.stringify({ query: '{ me { name kind login scopes } }' })
    const { json } = await server.call({ body, authorization: `Bearer ${token}` })
    expect(json).toStrictEqual({
      data: {
        me: { name: 'ada@example.com', kind: 'PERSON', login: 'ada@example.com', scopes: ['openid', 'service'] },
      },
    })
    const other = await server.call({
      body: '{"query":"{ currentDomain { name } systems { totalCount } }"}',
      authorization: `Bearer ${token}`,
    })
    expect(other.json).toMatchObject({ errors: [{ path: ['systems'], extensions: { code: 'FORBIDDEN' } }] })
    expect(await me(token, HOSTS.second)).toBe(401)
  })

  it('a method that is not ACTIVATED any more lets nobody in at the next request, live tokens included', async () => {
    const uuid = await trust('switched', second)
    const token = await signIn('switched', second)
    expect(await me(token)).toBe(200)
    const set = (status: string) =>
      server.data(
        `mutation ($uuid: ID!, $status: Status!) { updateAuthenticationMethod(uuid: $uuid, status: $status) { status } }`,
        { uuid, status },
      )
    await set('DEACTIVATED')
    expect(await me(token)).toBe(401)
    await set('ACTIVATED')
    expect(await me(token)).toBe(200)
    await server.data(`mutation ($uuid: ID!) { deleteAuthenticationMethod(uuid: $uuid) { uuid } }`, { uuid })
    expect(await me(token)).toBe(401)
  })

  it('rules are kept if they are no longer those that a change was made of', async () => {
    const uuid = await trust('ruled', second)
    const change = (rules: object[], before: object[]) =>
      server.data(
        `mutation ($uuid: ID!, $rules: [FederationRuleInput!], $before: [FederationRuleInput!]) {
          updateAuthenticationMethod(uuid: $uuid, configuration: { rules: $rules }, rulesBefore: $before) {
            configuration { rules { name } } } }`,
        { uuid, rules, before },
      )
    await change([rule('one')], [])
    await expect(change([rule('other')], [])).rejects.toThrow(/the method has other rules now/)
    expect(await change([rule('other'), rule('one')], [rule('one')])).toStrictEqual({
      updateAuthenticationMethod: { configuration: { rules: [{ name: 'other' }, { name: 'one' }] } },
    })
  })

  it('a person whom a provider told about is listed, and can be stopped at once', async () => {
    await trust('people')
    const token = await signIn('people')
    const { delegatedUsers } = await server.data<{ delegatedUsers: { nodes: { uuid: string }[] } }>(`
      { delegatedUsers(first: 1) { nodes { uuid login email name status identities { issuer subject } }
          pageInfo { hasPreviousPage endCursor } } }`)
    expect(delegatedUsers).toStrictEqual({
      nodes: [
        {
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          login: 'ada@example.com',
          email: 'ada@example.com',
          name: 'Ada',
          status: 'ACTIVATED',
          identities: [{ issuer: provider.issuer, subject: 'subject-1' }],
        },
      ],
      pageInfo: { hasPreviousPage: false, endCursor: 'ada@example.com' },
    })
    const uuid = delegatedUsers.nodes[0]?.uuid
    const set = `mutation ($uuid: ID!, $status: Status!) { updateDelegatedUser(uuid: $uuid, status: $status) { status } }`
    await server.data(set, { uuid, status: 'ARCHIVED' })
    expect(await me(token)).toBe(401)
    await server.data(set, { uuid, status: 'ACTIVATED' })
    expect(await me(token)).toBe(401)
  })

  it('a method shows everything but its client secret', async () => {
    const made = await server.data<{ createOpenIdDelegatedAuthenticationMethod: { uuid: string } }>(
      `mutation ($configuration: OpenIdDelegatedConfigurationInput!) {
         createOpenIdDelegatedAuthenticationMethod(status: DEACTIVATED, name: "Google", configuration: $configuration) { uuid }
       }`,
      {
        configuration: {
          clientId: 'holdfast',
          issuer: 'https://accounts.google.com',
          clientSecret: SECRET,
          rules: [{ name: 'staff', claims: { hd: 'example.com' }, scopes: ['data:read'] }],
        },
      },
    )
    const { uuid } = made.createOpenIdDelegatedAuthenticationMethod
    const answer = await server.graphql(`
      { authenticationMethods { uuid name kind status configuration {
          clientId issuer hasClientSecret scopes emailDomains
          rules { name claims machineUser scopes } githubActions { repositoryId } effectiveRules { name } } } }`)
    const { authenticationMethods: methods } = answer.data as { authenticationMethods: { uuid: string }[] }
    expect(methods[0]).toMatchObject({ kind: 'INTERNAL', configuration: null })
    expect(methods.find((method) => method.uuid === uuid)).toStrictEqual({
      uuid,
      name: 'Google',
      kind: 'OPENID_DELEGATED',
      status: 'DEACTIVATED',
      configuration: {
        clientId: 'holdfast',
        issuer: 'https://accounts.google.com',
        hasClientSecret: true,
        scopes: ['openid', 'service'],
        emailDomains: [],
        rules: [{ name: 'staff', claims: { hd: 'example.com' }, machineUser: null, scopes: ['data:read'] }],
        githubActions: null,
        effectiveRules: [{ name: 'staff' }],
      },
    })
    expect(JSON.stringify(answer) + server.log.join('')).not.toContain(SECRET)
  })

  it('GitHub Actions can be trusted as a whole, with advice, and by its ready rules', async () => {
    const issuer = 'https://token.actions.githubusercontent.com'
    await trust('x', { ...provider, issuer })
    const { authenticationMethods: methods } = await server.data<{
      authenticationMethods: { advice: string | null }[]
    }>('{ authenticationMethods { advice } }')
    expect(methods.map(({ advice }) => advice)).toContainEqual(expect.stringMatching(/every repository on GitHub/))
    const { createOpenIdDelegatedAuthenticationMethod: method } = await server.data(`mutation {
      createOpenIdDelegatedAuthenticationMethod(
        status: ACTIVATED
        configuration: {
          clientId: "https://holdfast.example.com"
          issuer: "${issuer}"
          githubActions: {
            repositoryId: "1234", repositoryOwnerId: "99", environment: "production"
            planMachineUser: "planner", applyMachineUser: "applier"
          }
        }
      ) { status configuration { githubActions { ref selfHostedRunners runsByHand jobWorkflowRef } effectiveRules { name scopes } } }
    }`)
    expect(method).toStrictEqual({
      status: 'ACTIVATED',
      configuration: {
        githubActions: { ref: 'refs/heads/main', selfHostedRunners: false, runsByHand: false, jobWorkflowRef: null },
        effectiveRules: [
          { name: 'apply', scopes: ['model:plan', 'model:apply'] },
          { name: 'plan', scopes: ['model:plan'] },
        ],
      },
    })
  })

  it('a domain can require PKCE of every consumer', async () => {
    const [domain] = server.domains
    expect(await set(true)).toStrictEqual({ updateDomain: { requiresPkce: true, name: 'The first' } })
    expect(await server.data('mutation { updateDomain { requiresPkce } }')).toStrictEqual({
      updateDomain: { requiresPkce: true },
    })
    expect(await server.database.read((sql) => fetchDomainSettings(sql, domain?.id ?? 0))).toStrictEqual({
      requiresPkce: true,
      allowedOrigins: [],
    })
    expect(await server.data('{ currentDomain { requiresPkce } }', {}, HOSTS.second)).toStrictEqual({
      currentDomain: { requiresPkce: false },
    })
    await set(false)
  })

  it('another key can be made to sign', async () => {
    const context = contextOf(server)
    const before = await signingKeys(context)
    const { rotateSigningKey: next } = await server.data<{ rotateSigningKey: { kid: string; signsFrom: string } }>(
      'mutation { rotateSigningKey { kid signsFrom } }',
    )
    expect(Date.parse(next.signsFrom)).toBeGreaterThan(Date.now())
    const { current, published } = await signingKeys(context)
    expect(current.kid).toBe(before.current.kid)
    expect(published.map(({ kid }) => kid)).toContain(next.kid)
  })

  it('a user can be given a link to set a password', async () => {
    const context = contextOf(server)
    await server.data('mutation { createUser(input: { email: "Grace@example.com" }) { uuid } }')
    const { createPasswordLink: link } = await server.data<{ createPasswordLink: { path: string } }>(
      'mutation { createPasswordLink(email: "grace@example.com") { path expiresAt } }',
    )
    const url = new URL(link.path, 'https://holdfast.example')
    expect(url.pathname).toBe('/login/password')
    const account = await readPasswordLink(context, url.searchParams.get('link') ?? '')
    expect(account?.login).toBe('grace@example.com')
    expect(await listed()).toMatchObject([{ email: 'grace@example.com', createdBy: 'operator' }])
    await server.data(`mutation { revokePasswordLink(account: "${account?.uuid}") }`)
    expect(await listed()).toStrictEqual([])
    expect(await readPasswordLink(context, url.searchParams.get('link') ?? '')).toBeNull()
    const { errors } = await server.graphql('mutation { createPasswordLink(email: "nobody@example.com") { path } }')
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  })

  it('all of it needs the scope access:admin or service', async () => {
    const context = contextOf(server)
    const scope = 'openid model:read model:plan model:apply model:write data:read datapoints:write setpoints:write'
    const token = await giveToken(context, await makeMachine(context, 'all-but-admin'), { scope })
    const id = crypto.randomUUID()
    const operations = [
      '{ authenticationMethods { uuid } }',
      '{ delegatedUsers { nodes { uuid } } }',
      'mutation { createOpenIdDelegatedAuthenticationMethod(configuration: { clientId: "a", issuer: "https://b.example" }) { uuid } }',
      `mutation { updateAuthenticationMethod(uuid: "${id}", status: ARCHIVED) { uuid } }`,
      `mutation { deleteAuthenticationMethod(uuid: "${id}") { uuid } }`,
      '{ externalIdentities { nodes { uuid } } }',
      `mutation { unbindIdentity(uuid: "${id}") { uuid } }`,
      `mutation { updateDelegatedUser(uuid: "${id}", status: ARCHIVED) { uuid } }`,
      'mutation { updateDomain(requiresPkce: true) { uuid } }',
      'mutation { rotateSigningKey { kid } }',
      'mutation { createPasswordLink(email: "grace@example.com") { path } }',
    ]
    for (const query of operations) {
      const { json } = await server.call({ body: JSON.stringify({ query }), authorization: `Bearer ${token}` })
      const { data, errors } = json as GraphqlAnswer
      expect(Object.values(data ?? {}).every((result) => result === null)).toBe(true)
      expect(errors).toMatchObject([
        {
          message: expect.stringMatching(/needs a token with the scope access:admin or service/),
          extensions: { code: 'FORBIDDEN' },
        },
      ])
    }
  })
})
