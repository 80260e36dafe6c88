import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { changeDomainSettings } from '../../../src/platform/access/methods/domain-settings.ts'
import { giveToken } from '../../support/access.ts'
import { startTwoProcesses, type TwoProcesses } from '../oidc/two-processes.ts'

// Two processes of one platform on PostgreSQL, whose heavy requests have a thread of their own.

let on: TwoProcesses
let token: string

beforeAll(async () => {
  on = await startTwoProcesses()
  const operator = await findAccountByLogin(on.access, 'machine', 'operator')
  token = await giveToken(on.access, operator ?? { uuid: '' })
})
afterAll(() => on.close())

const codes = Array.from({ length: 3_000 }, (_, index) => ({ code: `source-${index}`, name: `Source ${index}` }))

const plan = (accept: string): Promise<Response> =>
  fetch(`${on.urls[0]}/rest/v1/import`, {
    method: 'POST',
    body: JSON.stringify({ dataSources: codes }),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-encoding': accept,
    },
  })

it('the answer of the thread for heavy requests is compressed', async () => {
  const plain = await plan('identity')
  const text = await plain.text()
  expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(text))
  const answer = await plan('gzip')
  expect([answer.status, answer.headers.get('content-encoding')]).toStrictEqual([200, 'gzip'])
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(Buffer.byteLength(text) / 5)
  expect(await answer.json()).toHaveProperty('summary.create', codes.length)
})

it('both processes follow a changed origin', async () => {
  const origin = 'https://app.example.com'
  const readers = () =>
    Promise.all(
      on.urls.map(async (url) => {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const answer = await fetch(`${url}/graphql`, { method: 'OPTIONS', headers })
        return [answer.status, answer.headers.get('access-control-allow-origin')]
      }),
    )
  expect(await readers()).toStrictEqual([
    [401, null],
    [401, null],
  ])
  await changeDomainSettings(on.access, { allowedOrigins: [origin] })
  await expect.poll(readers).toStrictEqual([
    [204, origin],
    [204, origin],
  ])
})

it('a server compresses nothing if a proxy does it', async () => {
  const off = await startTwoProcesses({ HOLDFAST_COMPRESSION: 'off' })
  const answers = await Promise.all(
    [on, off].map(({ urls }) => fetch(`${urls[0]}/rest/v1/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })),
  )
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toStrictEqual(['gzip', null])
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  await off.close()
})
