import { beforeAll, describe, expect, it } from 'vitest'
import { isAtLeast, OWN_RIGHTS, ROLES, rightsOfRole } from '../../src/auth/roles.ts'
import { RIGHTS, rightsOf, SCOPES, type Right } from '../../src/auth/scopes.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import { identifyBearer } from '../../src/platform/access/sessions/identify-bearer.ts'
import { giveToken, makeModelRecord } from '../support/access.ts'
import { allowedByRole } from './expected-rights.ts'
import { sampleCalls } from './sample-arguments.ts'
import { type GraphqlAnswer } from './test-server.ts'
import { REST_RIGHTS } from './rest-rights.ts'
import { server, useServer } from './one-server.ts'

// What a request may do is what the scopes of its token and the roles of its account both allow: every role with every
// scope, and every role on every operation over HTTP.

const HOLDERS = ['nobody', ...ROLES] as const
type Holder = (typeof HOLDERS)[number]

const loginOf = (holder: Holder) => `${holder}@example.org`

let access: AccessContext
useServer()
beforeAll(async () => {
  access = server.access[0]!
  for (const holder of HOLDERS) {
    const body = { email: loginOf(holder), status: 'ACTIVATED' }
    await makeModelRecord(access, { type: 'users', key: loginOf(holder) }, body, null)
  }
  for (const role of ROLES)
    await server.data(
      `mutation { createGrant(input: { role: ${role.toUpperCase()}, user: "${loginOf(role)}" }) { key } }`,
    )
  await server.data(`mutation { deleteGrant(key: "operator/everyone/users") { key } }`)
})

const rightsOfHolder = (holder: Holder): ReadonlySet<Right> =>
  new Set([...OWN_RIGHTS, ...(holder === 'nobody' ? [] : rightsOfRole(holder))])

async function tokenOf(holder: Holder, scope: string): Promise<string> {
  const account = await findAccountByLogin(access, 'person', loginOf(holder))
  return giveToken(access, account!, { scope })
}

describe.each(HOLDERS)('an account with the role %s', (holder) => {
  it.each(Object.keys(SCOPES))('has, with a token of the scope %s, the rights of both', async (scope) => {
    const actor = await identifyBearer(access, await tokenOf(holder, scope))
    const both = rightsOf([scope]).intersection(rightsOfHolder(holder))
    expect([...(actor?.rights ?? [])].sort()).toEqual([...both].sort())
    expect(actor?.rightsWithin.size).toBe(0)
  })

  const allowed = allowedByRole(holder === 'nobody' ? null : holder)

  it('is refused every operation that its role does not allow, and no other', async () => {
    const authorization = `Bearer ${await tokenOf(holder, 'service')}`
    const wrong: string[] = []
    for (const { name, query } of sampleCalls()) {
      const { json } = await server.call({ body: JSON.stringify({ query }), authorization })
      const { errors = [] } = json as GraphqlAnswer
      const isRefused = errors.some(({ extensions }) => extensions['code'] === 'FORBIDDEN')
      if (isRefused === allowed.has(name)) wrong.push(name)
    }
    expect(wrong).toEqual([])
  })

  it.each(REST_RIGHTS)('%s', async (operation) => {
    const [method = '', path = ''] = operation.split(' ')
    const authorization = `Bearer ${await tokenOf(holder, 'service')}`
    const { status } = await server.call({ method, path, authorization })
    expect(status === 403).toBe(!allowed.has(operation))
  })
})

it('without a role somebody can see who they are and in which domain, and nothing else', async () => {
  const token = await tokenOf('nobody', 'openid email profile service')
  const ask = async (query: string) =>
    (await server.call({ body: JSON.stringify({ query }), authorization: `Bearer ${token}` })).json as GraphqlAnswer
  expect(await ask('{ me { login rights roles { role } } currentDomain { name } }')).toEqual({
    data: {
      me: { login: 'nobody@example.org', rights: OWN_RIGHTS, roles: [] },
      currentDomain: { name: 'The first' },
    },
  })
  const { errors } = await ask('{ systems { totalCount } }')
  expect(errors?.[0]).toMatchObject({
    message: 'systems needs the role viewer; this account has no role. An administrator can grant it.',
    extensions: { code: 'FORBIDDEN', details: [{ right: 'data:read', role: 'viewer' }] },
  })
})

it('each role allows all that those before it allow', () => {
  for (const role of ROLES)
    for (const other of ROLES.filter((one) => isAtLeast(role, one)))
      expect(rightsOfRole(other).difference(rightsOfRole(role)).size).toBe(0)
  expect([...rightsOfRole('administrator'), ...OWN_RIGHTS].sort()).toEqual(RIGHTS.toSorted())
})

describe('a grant', () => {
  it('counts on the next request, and counts no more on the next one after it is taken back', async () => {
    const token = await tokenOf('nobody', 'service')
    const rights = async () => (await identifyBearer(access, token))?.rights
    const input = `{ role: VIEWER, user: "${loginOf('nobody')}" }`
    expect((await rights())?.has('data:read')).toBe(false)
    await server.data(`mutation { createGrant(input: ${input}) { key } }`)
    expect((await rights())?.has('data:read')).toBe(true)
    await server.data(`mutation { deleteGrant(key: "viewer/user/${loginOf('nobody')}") { key } }`)
    expect((await rights())?.has('data:read')).toBe(false)
  })

  it('goes with its user, and somebody who gets the address later does not inherit it', async () => {
    const email = 'leaves@example.org'
    const create = `mutation { createUser(input: { email: "${email}" }) { uuid } }`
    await server.data(create)
    await server.data(`mutation { createGrant(input: { role: ADMINISTRATOR, user: "${email}" }) { key } }`)
    await server.data(`mutation { deleteUser(email: "${email}", allow: [DELETES_DATA]) { uuid } }`)
    await server.data(create)
    const account = await findAccountByLogin(access, 'person', email)
    const actor = await identifyBearer(access, await giveToken(access, account!))
    expect(actor?.roles).toEqual([])
  })

  it.each([
    ['{ role: VIEWER }', 'exactly one of'],
    ['{ role: VIEWER, user: "nobody@example.org", machineUser: "operator" }', 'exactly one of'],
    ['{ role: VIEWER, user: "stranger@example.org" }', 'stranger@example.org'],
    ['{ role: VIEWER, user: "nobody@example.org", within: "nowhere" }', 'nowhere'],
  ])('%s is refused with what is wrong', async (input, message) => {
    const { errors } = await server.graphql(`mutation { createGrant(input: ${input}) { key } }`)
    expect(JSON.stringify(errors)).toContain(message)
    expect(['BAD_USER_INPUT', 'BLOCKED']).toContain(errors?.[0]?.extensions['code'])
  })

  it('is listed, with what rules of authentication methods grant', async () => {
    const data = await server.data(
      `{ grants { nodes { key role } totalCount } impliedGrants { machineUser role reason } }`,
    )
    expect(data).toMatchObject({
      grants: { nodes: expect.arrayContaining([{ key: 'editor/user/editor@example.org', role: 'EDITOR' }]) },
      impliedGrants: [{ machineUser: 'operator', role: 'ADMINISTRATOR' }],
    })
  })
})
