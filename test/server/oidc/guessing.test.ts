import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INT4 } from '../../../src/db/columns.ts'
import { countAttempt } from '../../../src/platform/access/sessions/guessing.ts'
import { sweepExpired } from '../../../src/platform/access/sessions/sweep.ts'
import { wideNetworkOf } from '../../../src/server/login/guard/network.ts'
import { CookieClient, hiddenFields } from '../../support/cookie-client.ts'
import { landing, post } from './application.ts'
import { CALLBACK, makeConsumer, makePerson, type Consumer, type Person } from './people.ts'
import { HOST, startTwoProcesses, type TwoProcesses } from './two-processes.ts'

// Somebody tries passwords and secrets, from many networks and by both processes of a platform.

let platform: TwoProcesses
let consumer: Consumer

beforeAll(async () => {
  platform = await startTwoProcesses({ HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' })
  consumer = await makeConsumer(platform.access, { grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'] })
})

afterAll(() => platform.close())

const url = (run: number) => platform.urls[run % 2] ?? ''

async function ask(
  run: number,
  { login, password }: Pick<Person, 'login' | 'password'>,
  address: string,
  by = consumer,
) {
  const fields = { grant_type: 'password', username: login, password }
  const answer = await post(url(run), '/authenticate/token', fields, { consumer: by, headers: from(address) })
  return { status: answer.status, error: answer.body['error'], wait: answer.headers.get('retry-after') }
}

const from = (address: string) => ({ 'x-forwarded-for': address })

/** Of one IPv6 /48, each in a /64 of its own. */
const inOneNetwork = (index: number): string => `2001:db8:7:${(index + 1).toString(16)}::1`
const anywhere = (index: number): string => `198.${18 + (index % 2)}.${index}.9`

async function statuses(count: number, attempt: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  return (await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)))).map(({ status }) => status)
}

describe('passwords', () => {
  it('of one account are looked at ten times and once more, from however many networks by both processes', async () => {
    const person = await makePerson(platform.access)
    const guess = (index: number) => ask(index, { ...person, password: `wrong ${index}` }, anywhere(index))
    const found = await statuses(60, guess)
    expect(found.filter((status) => status === 400)).toHaveLength(11)
    expect(found.filter((status) => status === 429)).toHaveLength(49)
    expect(Number((await guess(99)).wait)).toBeGreaterThan(10)
  })

  it('are answered alike where the account does not exist', async () => {
    const nobody = { login: `${crypto.randomUUID()}@example.org`, password: 'wrong' }
    const found = await statuses(40, (index) => ask(index, nobody, anywhere(100 + index)))
    expect(found.filter((status) => status === 400)).toHaveLength(11)
    expect(await ask(0, nobody, anywhere(7))).toMatchObject({ status: 429, error: 'slow_down' })
  })

  it('of any accounts are looked at a hundred times from one network', async () => {
    const wideNetwork = wideNetworkOf(inOneNetwork(0))
    for (let index = 0; index < 100; index += 1) {
      const guess = { of: 'password', name: `somebody ${index}`, network: `of ${index}`, wideNetwork } as const
      expect((await countAttempt(platform.access, guess)).seconds).toBe(0)
    }
    // As after some minutes of it: the wait is the longest one, and no machine is so slow that it passes meanwhile.
    await platform.access.database.script(
      `update sign_in_failures set failures = 150 where kind = 'network' and failures = 100`,
    )
    const found = await statuses(12, (index) =>
      ask(index, { login: `user-${index}@example.org`, password: 'wrong' }, inOneNetwork(index)),
    )
    expect(found.toSorted()).toStrictEqual([400, ...Array.from({ length: 11 }, () => 429)])
  })

  it('do not keep the owner out: not where the account signed in before, nor by a known browser elsewhere', async () => {
    const person = await makePerson(platform.access)
    const home = '203.0.113.77'
    expect((await ask(0, person, home)).status).toBe(200)
    const browser = new CookieClient({ host: HOST })
    await signIn(browser, person, home)
    await statuses(40, (index) => ask(index, { ...person, password: 'wrong' }, anywhere(200 + index)))
    expect((await ask(0, person, anywhere(250))).status).toBe(429)
    expect([(await ask(0, person, home)).status, (await ask(1, person, home)).status]).toStrictEqual([200, 200])
    browser.forget(/session/)
    expect(landing(await signIn(browser, person, anywhere(251))).searchParams.has('code')).toBe(true)
  })

  it('are looked at eleven times in a place that is new, and the wait is that of the counts', async () => {
    const person = await makePerson(platform.access)
    const found = []
    for (let index = 0; index < 14; index += 1)
      found.push(await ask(0, { ...person, password: 'wrong' }, '203.0.113.80'))
    expect(found.map(({ status }) => status)).toStrictEqual([...Array.from({ length: 11 }, () => 400), 429, 429, 429])
    expect(Number(found[11]?.wait)).toBeLessThanOrEqual(30)
  })

  it('however many by a process that has never met the owner do not keep the owner out', async () => {
    const person = await makePerson(platform.access)
    const home = '203.0.113.81'
    expect((await ask(0, person, home)).status).toBe(200)
    const found = await statuses(20, () => ask(1, { ...person, password: 'wrong' }, home))
    expect(found).toStrictEqual(Array.from({ length: 20 }, () => 400))
    expect((await ask(1, person, home)).status).toBe(200)
  })

  it('are counted in few rows, which are swept', async () => {
    const { database } = platform.access
    const count = () => database.rows({ count: INT4 }, 'select count(*)::int as count from sign_in_failures')
    expect((await count())[0]?.count).toBeGreaterThan(0)
    await database.script(`update sign_in_failures set forget_at = now(); update sign_in_places set forget_at = now()`)
    await sweepExpired(database, new Date(0))
    expect((await count())[0]?.count).toBe(0)
  })
})

describe('client secrets', () => {
  it('are looked at ten times and once more from one network, and the application is not kept out', async () => {
    const person = await makePerson(platform.access)
    const home = '203.0.113.78'
    expect((await ask(0, person, home)).status).toBe(200)
    const wrong = { ...consumer, secret: 'wrong' }
    const found = await statuses(50, (index) => ask(index, person, inOneNetwork(300 + index), wrong))
    expect(found.filter((status) => status === 401)).toHaveLength(11)
    expect(found.filter((status) => status === 429)).toHaveLength(39)
    expect((await ask(0, person, inOneNetwork(1))).status).toBe(429)
    expect([(await ask(0, person, home)).status, (await ask(1, person, home)).status]).toStrictEqual([200, 200])
  })

  it('that are wrong where the application itself is are told to wait, and the right one is not', async () => {
    const person = await makePerson(platform.access)
    const home = '203.0.113.79'
    expect((await ask(0, person, home)).status).toBe(200)
    const wrong = { ...consumer, secret: 'an old one' }
    expect((await ask(0, person, home, wrong)).status).toBe(401)
    await platform.access.database.script(`update sign_in_failures set failures = 150 where kind = 'known'`)
    expect([(await ask(0, person, home, wrong)).status, (await ask(1, person, home, wrong)).status]).toStrictEqual([
      401, 429,
    ])
    expect((await ask(1, person, home)).status).toBe(200)
  })
})

async function signIn(browser: CookieClient, person: Person, address: string) {
  const query = new URLSearchParams({ client_id: consumer.clientId, response_type: 'code', redirect_uri: CALLBACK })
  const page = await browser.open(`${url(0)}/authenticate?${query.toString()}`)
  const action = /<form method="post" action="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const fields = { ...hiddenFields(page), decision: 'sign-in', username: person.login, password: person.password }
  return browser.follow(await browser.post(new URL(action, page.url).href, fields, from(address)))
}
