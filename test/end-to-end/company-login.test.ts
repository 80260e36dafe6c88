import { beforeAll, describe, expect, it } from 'vitest'
import { OWN_RIGHTS } from '../../src/auth/roles.ts'
import { signInDelegated } from '../../src/platform/access/delegated/delegated.ts'
import { sampleCalls } from '../server/sample-arguments.ts'
import { type GraphqlAnswer } from '../server/test-server.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { makeIssuer, withIssuers } from '../support/foreign-issuer.ts'
import { readPage } from './documents.ts'
import { blocks, section } from './markdown.ts'
import { server, useServer } from '../server/one-server.ts'

// docs/how-to/company-login.md, to the letter: users of the model are themselves, and an intern of the company can do
// nothing until it is granted.

const [RECIPE = ''] = blocks(section(readPage('docs/how-to/company-login.md'), 'Set it up'), 'graphql')

const verified = (name: string) => ({ email: `${name}@example.com`, email_verified: true })

const SYSTEMS = '{ systems { totalCount } }'

const company = await makeIssuer('https://login.example.com')

async function configure(fields: string): Promise<void> {
  const { authenticationMethods } = await server.data<{ authenticationMethods: { uuid: string; kind: string }[] }>(
    '{ authenticationMethods { uuid kind } }',
  )
  const uuid = authenticationMethods.find(({ kind }) => kind === 'OPENID_DELEGATED')?.uuid
  await server.data(
    `mutation ($uuid: ID!) { updateAuthenticationMethod(uuid: $uuid, configuration: { ${fields} }) { status } }`,
    { uuid },
  )
}

const lost = async () => (await server.data<{ lostRights: { who: string }[] }>('{ lostRights { who } }')).lostRights

async function ask(token: string, query: string): Promise<GraphqlAnswer> {
  return (await server.call({ body: JSON.stringify({ query }), authorization: `Bearer ${token}` }))
    .json as GraphqlAnswer
}

/** The first time by a process that reaches the provider; the server then knows the token from the database. */
async function tokenOf(sub: string, claims: object = {}): Promise<string> {
  const token = await company.sign({ aud: 'holdfast', sub, ...claims })
  await signInDelegated(withIssuers(server.access[0]!, [company]), token)
  return token
}

describe.each(SAMPLED_DATABASES)('the company login of the page on $name', (kind) => {
  useServer({ kind })
  beforeAll(async () => {
    await server.data('mutation { createUser(input: { email: "anna@example.com" }) { uuid } }')
    await server.data(RECIPE)
  })

  it('lets an intern in, who sees who they are', async () => {
    const token = await tokenOf('intern', verified('intern'))
    expect(await ask(token, '{ me { scopes rights roles { role } } }')).toEqual({
      data: { me: { scopes: ['openid', 'service'], rights: OWN_RIGHTS, roles: [] } },
    })
  })

  it('lets an intern do nothing else of all that there is', async () => {
    const token = await tokenOf('intern', verified('intern'))
    const allowed: string[] = []
    for (const { name, query } of sampleCalls()) {
      const { errors = [] } = await ask(token, query)
      if (!errors.some(({ extensions }) => extensions['code'] === 'FORBIDDEN')) allowed.push(name)
    }
    const own = sampleCalls().filter(({ right }) => (OWN_RIGHTS as readonly unknown[]).includes(right))
    expect(allowed.sort()).toEqual(own.map(({ name }) => name).sort())
  })

  it('lets a user of the data model in as themselves, with their role, and nobody without a verified address', async () => {
    const query = '{ me { login roles { role } } systems { totalCount } }'
    const anna = await tokenOf('anna', verified('anna'))
    expect(await ask(anna, query)).toEqual({
      data: { me: { login: 'anna@example.com', roles: [{ role: 'OPERATOR' }] }, systems: { totalCount: 0 } },
    })
    const thief = await tokenOf('thief', { email: 'anna@example.com', email_verified: false })
    expect((await ask(thief, '{ currentDomain { name } }')).errors?.[0]?.extensions['code']).toBe('FORBIDDEN')
  })

  it('is listed as a provider whose people can do nothing only where it makes nobody a user of the model', async () => {
    expect(await lost()).toEqual([])
    await configure('matchesUsers: false')
    expect(await lost()).toEqual([{ who: expect.stringContaining('https://login.example.com') as string }])
  })

  it('gives a role to those of whom the provider claims something, from their next sign-in, until it is taken back', async () => {
    const { createGrant } = await server.data<{ createGrant: { key: string } }>(`mutation {
      createGrant(input: {
        role: VIEWER
        identities: { issuer: "https://login.example.com", clientId: "holdfast", claims: { groups: ["plant-operators"] } }
      }) { key }
    }`)
    expect(await lost()).toEqual([])
    const member = await tokenOf('member', { ...verified('member'), groups: ['staff', 'plant-operators'] })
    const other = await tokenOf('other', { ...verified('other'), groups: ['staff'] })
    expect(await ask(member, SYSTEMS)).toEqual({ data: { systems: { totalCount: 0 } } })
    expect((await ask(other, SYSTEMS)).errors?.[0]?.extensions['code']).toBe('FORBIDDEN')
    await server.data('mutation ($key: String!) { deleteGrant(key: $key) { uuid } }', { key: createGrant.key })
    expect((await ask(member, SYSTEMS)).errors?.[0]?.extensions['code']).toBe('FORBIDDEN')
  })

  it('makes people of the company its users of the data model once the provider is trusted for its domain', async () => {
    await configure('emailDomains: ["example.com"]')
    const anna = await tokenOf('anna', verified('anna'))
    expect(await ask(anna, '{ me { login roles { role } } }')).toEqual({
      data: { me: { login: 'anna@example.com', roles: [{ role: 'OPERATOR' }] } },
    })
    expect(
      (await ask(anna, 'mutation { createMachineUser(input: { username: "door", password: "x" }) { uuid } }')).errors,
    ).toBeDefined()
  })
})
