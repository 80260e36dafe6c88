import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { giveToken, makeMachine } from '../../support/access.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { begin, discover, enterPassword, landing, post } from './application.ts'
import { makeConsumer, makePerson, type Consumer, type Person } from './people.ts'
import type { SignInServer } from './sign-in-server.ts'
import { database, server, useSignIn } from './one-sign-in-server.ts'

// Where somebody is signed in, and what applications may do for them: seen and ended by themselves and by administrators.

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const TEXT = readFileSync(new URL('../../../docs/how-to/signing-in.md', import.meta.url), 'utf8')
const OPERATIONS = Array.from(TEXT.matchAll(/^```graphql\n(.*?)^```/gms), ([, operation = '']) => operation)
/** The others are an administrator's. */
const OWN = /\b(me|endSession|endSessions|revokeConsent)\b/

async function findOrMakeOperator({ access }: SignInServer) {
  return (await findAccountByLogin(access, 'machine', 'operator')) ?? (await makeMachine(access, 'operator'))
}

interface SessionAnswer {
  readonly uuid: string
  readonly agent: string
  readonly isCurrent: boolean
}

async function graphql<Data>(token: string, query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = await ask(token, query, variables)
  expect(errors).toBeUndefined()
  return data as Data
}

async function ask(token: string, query: string, variables: object = {}) {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await answer.json()) as { data?: unknown; errors?: readonly { readonly message: string }[] }
}

const sessionsOf = async (token: string) =>
  (await graphql<{ me: { sessions: SessionAnswer[] } }>(token, '{ me { sessions { uuid agent isCurrent } } }')).me
    .sessions

describe.each(SAMPLED_DATABASES)('sessions on $name', ({ openMigrated }) => {
  let consumer: Consumer
  useSignIn({ openMigrated })
  beforeAll(async () => {
    consumer = await makeConsumer(server.access)
  })

  async function signIn(person: Person, agent = FIREFOX) {
    const browser = new CookieClient({ headers: { 'user-agent': agent } })
    const client = await discover(server.url, consumer)
    const begun = await begin(client)
    const tokens = await begun.finish(await enterPassword(browser, await browser.open(begun.url), person))
    const again = async () => landing(await browser.get((await begin(client, { prompt: 'none' })).url)).searchParams
    return { tokens, token: tokens.access_token, isSignedIn: async () => (await again()).has('code') }
  }

  const refresh = async (token: string | undefined) =>
    (
      await post(
        server.url,
        '/authenticate/token',
        { grant_type: 'refresh_token', refresh_token: token ?? '' },
        { consumer },
      )
    ).status

  it('are listed with what people know them by, and nothing else of a person is kept', async () => {
    const person = await makePerson(server.access)
    const [first, second] = [await signIn(person), await signIn(person, SAFARI)]
    await signIn(await makePerson(server.access))
    const query = '{ me { sessions { startedAt lastUsedAt method agent network isCurrent } } }'
    const { me } = await graphql<{ me: { sessions: { startedAt: string; lastUsedAt: string }[] } }>(first.token, query)
    expect(me.sessions).toMatchObject([
      { method: 'User name and password', agent: 'Safari on iOS', network: '127.0.0.0/24', isCurrent: false },
      { method: 'User name and password', agent: 'Firefox on Linux', network: '127.0.0.0/24', isCurrent: true },
    ])
    for (const { startedAt, lastUsedAt } of me.sessions) expect(lastUsedAt >= startedAt.slice(0, 19)).toBe(true)
    const kept = await database.statement(`select 1 as one from artifacts where payload::text like '%Gecko%'`)
    expect(kept).toStrictEqual([])
    expect(await second.isSignedIn()).toBe(true)
  })

  it('are ended one by one, with what came out of them, refresh tokens too', async () => {
    const person = await makePerson(server.access)
    const [here, there] = [await signIn(person), await signIn(person)]
    const other = (await sessionsOf(here.token)).find(({ isCurrent }) => !isCurrent)
    const mutation = 'mutation ($uuid: ID!) { endSession(uuid: $uuid) { uuid isCurrent } }'
    await graphql(here.token, mutation, { uuid: other?.uuid })
    expect([await here.isSignedIn(), await there.isSignedIn()]).toStrictEqual([true, false])
    expect((await ask(there.token, '{ me { name } }')).data).toBeUndefined()
    expect([await refresh(here.tokens.refresh_token), await refresh(there.tokens.refresh_token)]).toStrictEqual([
      200, 400,
    ])
    expect((await ask(here.token, mutation, { uuid: other?.uuid })).errors?.[0]?.message).toContain(
      'there is no session',
    )
  })

  it('are ended all at once, without this one or with it', async () => {
    const person = await makePerson(server.access)
    const [here, there, elsewhere] = [await signIn(person), await signIn(person), await signIn(person)]
    await graphql(here.token, 'mutation { endSessions(exceptCurrent: true) { uuid } }')
    expect(await sessionsOf(here.token)).toMatchObject([{ isCurrent: true }])
    expect([await there.isSignedIn(), await elsewhere.isSignedIn()]).toStrictEqual([false, false])
    await graphql(here.token, 'mutation { endSessions { uuid } }')
    expect(await here.isSignedIn()).toBe(false)
    expect((await ask(here.token, '{ me { name } }')).data).toBeUndefined()
  })

  it('belong to one account: nobody ends those of others', async () => {
    const [ann, bob] = [await makePerson(server.access), await makePerson(server.access)]
    const [hers, his] = [await signIn(ann), await signIn(bob)]
    const [session] = await sessionsOf(hers.token)
    const { errors } = await ask(his.token, 'mutation ($uuid: ID!) { endSession(uuid: $uuid) { uuid } }', {
      uuid: session?.uuid,
    })
    expect(errors?.[0]?.message).toContain('there is no session')
    const forbidden = await ask(his.token, 'mutation ($a: ID!) { endSessionsOf(account: $a) { uuid } }', {
      a: ann.uuid,
    })
    expect(forbidden.errors?.[0]?.message).toContain('endSessionsOf')
    expect(await hers.isSignedIn()).toBe(true)
  })

  it('and consents are taken back by an administrator too', async () => {
    const ann = await makePerson(server.access)
    const hers = await signIn(ann)
    const administrator = await giveToken(server.access, await findOrMakeOperator(server))
    const about = `query ($a: ID!) { sessionsOf(account: $a) { uuid isCurrent } consentsOf(account: $a) { application } }`
    const seen = await graphql<{ sessionsOf: SessionAnswer[] }>(administrator, about, { a: ann.uuid })
    expect(seen).toMatchObject({ sessionsOf: [{ isCurrent: false }], consentsOf: [{ application: consumer.clientId }] })
    const end = 'mutation ($a: ID!, $uuid: ID!) { endSessionOf(account: $a, uuid: $uuid) { uuid } }'
    await graphql(administrator, end, { a: ann.uuid, uuid: seen.sessionsOf[0]?.uuid })
    expect(await hers.isSignedIn()).toBe(false)
    const again = await signIn(ann)
    const revoke = 'mutation ($a: ID!, $c: ID!) { revokeConsentOf(account: $a, application: $c) { application } }'
    await graphql(administrator, revoke, { a: ann.uuid, c: consumer.clientId })
    expect(await refresh(again.tokens.refresh_token)).toBe(400)
    await graphql(administrator, 'mutation ($a: ID!) { endSessionsOf(account: $a) { uuid } }', { a: ann.uuid })
    expect(await again.isSignedIn()).toBe(false)
  })

  it('consents say who may go on offline, and revoking one ends what it gave and not the session', async () => {
    const person = await makePerson(server.access)
    const here = await signIn(person)
    const query = '{ me { consents { application name scopes since isOffline } } }'
    const { me } = await graphql<{ me: { consents: object[] } }>(here.token, query)
    expect(me.consents).toMatchObject([
      { application: consumer.clientId, scopes: ['email', 'openid', 'profile', 'service'], isOffline: true },
    ])
    const revoke = 'mutation ($c: ID!) { revokeConsent(application: $c) { application } }'
    await graphql(here.token, revoke, { c: consumer.clientId })
    expect((await ask(here.token, '{ me { name } }')).data).toBeUndefined()
    expect(await refresh(here.tokens.refresh_token)).toBe(400)
    expect(await here.isSignedIn()).toBe(true)
  })

  it('what docs/how-to/signing-in.md shows can be done, in its order', async () => {
    const person = await makePerson(server.access)
    const [here] = [await signIn(person), await signIn(person)]
    const administrator = await giveToken(server.access, await findOrMakeOperator(server))
    const session = (await sessionsOf(here.token)).find(({ isCurrent }) => !isCurrent)?.uuid
    const given = { session, application: consumer.clientId, account: person.uuid }
    for (const operation of OPERATIONS) {
      const token = OWN.test(operation) ? here.token : administrator
      const used = Object.entries(given).filter(([name]) => operation.includes(`$${name}`))
      await graphql(token, operation, Object.fromEntries(used))
    }
    expect(await here.isSignedIn()).toBe(false)
  })
})
