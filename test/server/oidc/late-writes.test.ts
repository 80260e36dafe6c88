import { beforeAll, describe, expect, it } from 'vitest'
import { Secret } from '../../../src/records/secret.ts'
import { createPasswordLink, setPassword } from '../../../src/platform/access/accounts/password-links.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { begin, discover, enterPassword, landing, post, signIn } from './application.ts'
import { makeConsumer, makeMachineUser, makePerson, type Consumer, type Person } from './people.ts'
import { database, server, useSignIn } from './one-sign-in-server.ts'

// A request that was underway while somebody's password changed writes what it was about to write: a session, a token.
// Whoever knew the old password and asks without pause is sure to have such a request. Here the rows that the change has
// deleted are put back, which is what it would leave behind.

let consumer: Consumer

useSignIn()
beforeAll(async () => {
  consumer = await makeConsumer(server.access, {
    grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD', 'REFRESH_TOKEN'],
  })
})

const script = (text: string) => database.script(text)

async function resetPassword({ login }: Person): Promise<Person> {
  const { token } = await createPasswordLink(server.access, login, 'test')
  const password = crypto.randomUUID()
  const account = await setPassword(server.access, token, password)
  if (account === null) throw new Error('the password was not set')
  return { uuid: account.uuid, login, password }
}

/** All that a change of the password deletes is there again afterwards. */
async function withLateWrites(change: () => Promise<unknown>): Promise<void> {
  await script('create table before_the_change as table artifacts')
  await change()
  await script('insert into artifacts table before_the_change on conflict do nothing; drop table before_the_change')
}

async function refresh(token: unknown): Promise<number> {
  const fields = { grant_type: 'refresh_token', refresh_token: String(token) }
  return (await post(server.url, '/authenticate/token', fields, { consumer })).status
}

async function askByPassword({ login, password }: Person): Promise<unknown> {
  const fields = { grant_type: 'password', username: login, password }
  return (await post(server.url, '/authenticate/token', fields, { consumer })).body['refresh_token']
}

describe('after a person has a new password', () => {
  it('a session of the old one signs nobody in', async () => {
    const person = await makePerson(server.access)
    const client = await discover(server.url, consumer)
    const { browser } = await signIn(client, person)
    const again = async () => landing(await browser.get((await begin(client, { prompt: 'none' })).url)).searchParams
    expect((await again()).has('code')).toBe(true)
    await withLateWrites(() => resetPassword(person))
    expect((await again()).get('error')).toBe('login_required')
  })

  it('a code and refresh tokens of the old one give nothing', async () => {
    const person = await makePerson(server.access)
    const client = await discover(server.url, consumer)
    const { tokens } = await signIn(client, person)
    const byPassword = await askByPassword(person)
    const browser = new CookieClient()
    const begun = await begin(client)
    const reply = await enterPassword(browser, await browser.open(begun.url), person)
    await withLateWrites(() => resetPassword(person))
    await expect(begun.finish(reply)).rejects.toThrow(/invalid_grant|no redirect|ResponseBodyError|error/i)
    expect(await refresh(tokens.refresh_token)).toBe(400)
    expect(await refresh(byPassword)).toBe(400)
  })

  it('who entered the old one just before does not come in', async () => {
    const person = await makePerson(server.access)
    const client = await discover(server.url, consumer)
    const browser = new CookieClient()
    const begun = await begin(client)
    const page = await browser.open(begun.url)
    const goOn = await browser.submitOnly(page, {
      decision: 'sign-in',
      username: person.login,
      password: person.password,
    })
    await resetPassword(person)
    const reply = await browser.follow(goOn)
    await expect((async () => begun.finish(reply))()).rejects.toThrow(
      /invalid_grant|no redirect|ResponseBodyError|error/i,
    )
  })

  it('the new one works, and so does all that comes of it', async () => {
    const person = await resetPassword(await makePerson(server.access))
    const { tokens } = await signIn(await discover(server.url, consumer), person)
    expect(tokens.claims()).not.toHaveProperty('acr')
    expect(await refresh(tokens.refresh_token)).toBe(200)
    expect(await refresh(await askByPassword(person))).toBe(200)
  })
})

describe('after a machine user has a new password', () => {
  it('its refresh tokens of the old one give nothing', async () => {
    const machine = await makeMachineUser(server.access)
    const token = await askByPassword(machine)
    const hash = await server.access.secrets.hashPassword(new Secret('another password'))
    await database.transaction((sql) =>
      sql.query(`update record_secrets set hash = $2 where record_uuid = $1::uuid`, [machine.uuid, hash]),
    )
    expect(await refresh(token)).toBe(400)
    expect(await refresh(await askByPassword({ ...machine, password: 'another password' }))).toBe(200)
  })
})
