import { afterAll, beforeAll, expect, it } from 'vitest'
import { CookieClient, hiddenFields, type Reply } from '../../support/cookie-client.ts'
import { enterPassword, landing, post } from './application.ts'
import { CALLBACK, makeConsumer, makePerson, type Consumer, type Person } from './people.ts'
import { HOST, startTwoProcesses, type TwoProcesses } from './two-processes.ts'
import { runsOf } from '../../support/runs.ts'

// Somebody signs out by one process while requests with the same cookie are underway in both.

/** RACE_RUNS asks for another number. */
const RUNS = runsOf('RACE_RUNS', { sample: 3, long: 500 })
const LONG = { timeout: 60_000 * RUNS }

let platform: TwoProcesses
let consumer: Consumer
let offline: Consumer
let person: Person

beforeAll(async () => {
  platform = await startTwoProcesses()
  consumer = await makeConsumer(platform.access, { grantTypes: ['AUTHORIZATION_CODE'] })
  offline = await makeConsumer(platform.access)
  person = await makePerson(platform.access)
})

afterAll(() => platform.close())

function authorizationUrl(run: number, parameters: { readonly [name: string]: string } = {}, by = consumer): string {
  const query = new URLSearchParams({ client_id: by.clientId, response_type: 'code', redirect_uri: CALLBACK })
  for (const [name, value] of Object.entries(parameters)) query.set(name, value)
  return `${platform.urls[run % 2]}/authenticate?${query.toString()}`
}

async function signIn(run: number, by = consumer): Promise<{ browser: CookieClient; reply: Reply }> {
  const browser = new CookieClient({ host: HOST })
  const page = await browser.open(authorizationUrl(run, {}, by))
  return { browser, reply: await enterPassword(browser, page, person) }
}

/** Somebody else with the same session cookie. */
function copyOf(browser: CookieClient): (run: number, by?: Consumer) => Promise<URLSearchParams> {
  const cookie = `holdfast-session=${browser.cookie(/session$/) ?? ''}`
  return async (run, by = consumer) => {
    const thief = new CookieClient({ host: HOST })
    return landing(await thief.get(authorizationUrl(run, { prompt: 'none' }, by), { cookie })).searchParams
  }
}

/** The last page before: it takes one click more. */
async function prepareSignOut(browser: CookieClient, run: number): Promise<() => Promise<Reply>> {
  const url = platform.urls[run % 2]
  const page = await browser.get(`${url}/logout`)
  return () => browser.post(`${url}/logout/confirm`, { ...hiddenFields(page), logout: 'yes' })
}

function redeem(run: number, code: string, by = consumer) {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
  return post(platform.urls[run % 2] ?? '', '/authenticate/token', fields, { consumer: by })
}

it(`of ${RUNS} who sign out while the application asks who is there, nobody is signed in again`, LONG, async () => {
  let revived = 0
  let issued = 0
  for (let run = 0; run < RUNS; run += 1) {
    const { browser } = await signIn(run)
    const signOut = await prepareSignOut(browser, run)
    const ask = copyOf(browser)
    const [left, ...answers] = await Promise.all([signOut(), ask(run), ask(run + 1), ask(run), ask(run + 1)])
    expect(left.headers.location).toMatch(/\/logout\/success$/)
    for (const index of [0, 1]) if ((await ask(index)).has('code')) revived += 1
    for (const code of answers.map((answer) => answer.get('code')).filter((found) => found !== null)) {
      issued += 1
      expect((await redeem(run, code)).status).toBe(400)
    }
  }
  if (RUNS > 3) console.log(`${RUNS} raced sign-outs, ${issued} codes issued meanwhile, ${revived} sessions revived`)
  expect(revived).toBe(0)
})

it('whoever polls with a copied cookie is out when the owner has signed out', LONG, async () => {
  for (let run = 0; run < Math.min(Math.ceil(RUNS / 3), 20); run += 1) {
    const { browser } = await signIn(run)
    const ask = copyOf(browser)
    const signOut = await prepareSignOut(browser, run)
    const owner = { hasLeft: false }
    const poll = async (index: number): Promise<void> => {
      while (!owner.hasLeft) await ask(index)
    }
    const polls = [poll(0), poll(1), poll(0)]
    await signOut()
    owner.hasLeft = true
    await Promise.all(polls)
    expect((await ask(0)).get('error')).toBe('login_required')
    expect((await ask(1)).get('error')).toBe('login_required')
  }
})

it('what holds a refresh token goes on, and a code that was not redeemed does not', LONG, async () => {
  const { browser, reply } = await signIn(0, offline)
  const redeemed = landing(reply).searchParams.get('code') ?? ''
  const { body } = await redeem(1, redeemed, offline)
  const another = landing(await browser.get(authorizationUrl(0, {}, offline))).searchParams.get('code') ?? ''
  await (
    await prepareSignOut(browser, 1)
  )()
  const fields = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }
  expect((await post(platform.urls[0], '/authenticate/token', fields, { consumer: offline })).status).toBe(200)
  expect((await redeem(0, another, offline)).status).toBe(400)
})
