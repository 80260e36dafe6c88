import { request as httpRequest } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import type { Account } from '../../src/platform/access/accounts/account.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import type { Actor } from '../../src/platform/access/grants/actor.ts'
import { stillMay } from '../../src/platform/access/grants/still-may.ts'
import { identifyBearer } from '../../src/platform/access/sessions/identify-bearer.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { readDomain } from '../../src/store/domains.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { HOSTS } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// Who sends slowly, or waits for others, may be shut out before what they ask for is done.

let access: AccessContext
useServer()
beforeAll(async () => {
  access = server.access[0]!
})

let login: string
let account: Account
let token: string
beforeEach(async () => {
  login = `mallory-${crypto.randomUUID()}`
  account = await makeMachine(access, login)
  token = await giveToken(access, account)
  await grant('ADMINISTRATOR')
})

const grant = (role: string) =>
  server.data(`mutation { createGrant(input: { role: ${role}, machineUser: "${login}" }) { key } }`)
const takeBack = () => server.data(`mutation { deleteGrant(key: "administrator/machineUser/${login}") { key } }`)
const appoint = `mutation { createGrant(input: { role: ADMINISTRATOR, everyone: MACHINE_USERS }) { key } }`

/** A request whose head and first bytes have arrived, and whose rest comes when it is finished. */
function begin(path: string, body: string) {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = {
    host: HOSTS.first,
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'content-length': Buffer.byteLength(body),
  }
  const request = httpRequest(new URL(path, server.url), { method: 'POST', agent: false, headers }, (response) => {
    response.resume()
    response.on('end', () => resolve(response.statusCode ?? 0))
  })
  request.on('error', reject)
  request.write(body.slice(0, 5))
  return {
    finish: () => {
      request.end(body.slice(5))
      return promise
    },
  }
}

/** Other requests for so long that the server takes the one that was begun for slow. */
async function others(): Promise<void> {
  const begun = performance.now()
  while (performance.now() - begun < 400) await server.data('{ me { login } }')
}

describe('a request that was begun before its sender lost the right to it', () => {
  it('to GraphQL is refused when the rest of it comes', async () => {
    const slow = begin('/graphql', JSON.stringify({ query: appoint }))
    await others()
    await takeBack()
    expect(await slow.finish()).toBe(200)
    const { grants } = await server.data<{ grants: { nodes: { key: string }[] } }>(
      '{ grants(first: 500) { nodes { key } } }',
    )
    expect(grants.nodes.map(({ key }) => key)).not.toContain('administrator/everyone/machineUsers')
  })

  it.each(['/rest/v1/set-points/add', '/rest/v1/set-points/acknowledge'])('to %s is refused, too', async (path) => {
    const slow = begin(path, '[          ]')
    await others()
    await server.data(`mutation { updateMachineUser(username: "${login}", input: { status: ARCHIVED }) { uuid } }`)
    expect(await slow.finish()).toBe(401)
  })
})

it('under the lock of the domain it is looked at again whether somebody has all rights that they came with', async () => {
  const actor = (await identifyBearer(access, token))!
  const mayBy = (value: string, who: Actor) => {
    const inUse = { tokenHash: tokenHash(value), now: access.now() }
    return readDomain(access.database, access.domain.id, (sql) => stillMay(sql, access.domain.id, who, inUse))
  }
  const may = () => mayBy(token, actor)
  expect(await may()).toBe(true)
  await takeBack()
  expect(await may()).toBe(false)
  await grant('EDITOR')
  expect(await may()).toBe(false)
  const own = await giveToken(access, (await findAccountByLogin(access, 'machine', 'operator'))!)
  expect(await mayBy(own, (await identifyBearer(access, own))!)).toBe(true)
})
