import { afterAll, beforeAll, expect, it } from 'vitest'
import { CookieClient } from '../../support/cookie-client.ts'
import { enterPassword, landing, post } from './application.ts'
import { CALLBACK, makeConsumer, makePerson, type Consumer, type Person } from './people.ts'
import { HOST, startTwoProcesses, type TwoProcesses } from './two-processes.ts'
import { runsOf } from '../../support/runs.ts'

// Hundreds of people who do not know the password, all at once, each from a network of their own and for an account of their own,
// so that no limit but that of the machine stops them. FLOOD_RUNS asks for another
// number, FLOOD_LOG=1 says the figures.

const FLOOD = runsOf('FLOOD_RUNS', { sample: 50, long: 500 })
const PROBES = 15

let platform: TwoProcesses
let consumer: Consumer
let owner: Person

beforeAll(async () => {
  platform = await startTwoProcesses({ HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' })
  consumer = await makeConsumer(platform.access, { grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'] })
  owner = await makePerson(platform.access)
})

afterAll(() => platform.close())

const ask = (fields: { readonly [name: string]: string }, address: string) =>
  post(
    platform.urls[0],
    '/authenticate/token',
    { grant_type: 'password', ...fields },
    {
      consumer,
      headers: { 'x-forwarded-for': address },
    },
  )

async function probe(token: string): Promise<void> {
  for (let index = 0; index < PROBES; index += 1) {
    const answer = await fetch(`${platform.urls[0]}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"query":"{ me { name } }"}',
    })
    expect(await answer.json()).toStrictEqual({ data: { me: { name: owner.login } } })
  }
}

it(
  'in a flood of wrong passwords a known owner signs in, and requests are answered',
  { timeout: 180_000 },
  async () => {
    const browser = new CookieClient({ host: HOST })
    const query = new URLSearchParams({ client_id: consumer.clientId, response_type: 'code', redirect_uri: CALLBACK })
    const url = `${platform.urls[0]}/authenticate?${query.toString()}`
    await enterPassword(browser, await browser.open(url), owner)
    browser.forget(/session/)
    const { body } = await ask({ username: owner.login, password: owner.password }, '203.0.113.9')
    const token = String(body['access_token'])
    await probe(token)

    let open = FLOOD
    const flood = Array.from({ length: FLOOD }, async (_, index) => {
      const address = `100.${64 + (index >> 8)}.${index & 255}.1`
      await ask({ username: `nobody-${index}@example.org`, password: 'wrong' }, address)
      open -= 1
    })
    const page = await browser.open(url)
    const signedIn = await enterPassword(browser, page, owner)
    const openThen = open
    await probe(token)
    const openAfter = open
    await Promise.all(flood)
    if (process.env['FLOOD_LOG'] !== undefined) console.log({ openThen, openAfter })
    expect(landing(signedIn).searchParams.has('code')).toBe(true)
    // The owner overtakes most of the flood.
    expect(openThen).toBeGreaterThan(FLOOD / 2)
    // A request that waited for a hash would let one of the flood be answered first.
    expect(openThen - openAfter).toBeLessThan(PROBES)
  },
)
