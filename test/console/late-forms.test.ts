import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from '../../src/console/pages/pages.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { ACCESS } from '../../src/records/record-type.ts'
import { deleteArtifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { giveToken } from '../support/access.ts'
import { visitorWith } from '../support/console-visitor.ts'
import type { LoginServer } from '../support/login-server.ts'
import { everywhere, startTwoCustomers, type Console } from './two-customers.ts'

// Who sends a form decides how long its body takes, and may be shut out before it has arrived.

const MALLORY = everywhere('administrator')

let world: Console
let server: LoginServer
let mallory: string
beforeAll(async () => {
  world = await startTwoCustomers()
  server = world.server
  mallory = (await findAccountByLogin(server.context, 'person', MALLORY))?.uuid ?? ''
})
afterAll(() => server.close())

const appoint = () => createRecord(server.context, ACCESS, { role: 'administrator', user: MALLORY }, [])
const dismiss = () => deleteRecord(server.context, ACCESS, `administrator/user/${MALLORY}`, [])

const setStatus = (status: string) => updateRecord(server.context, 'users', MALLORY, { status }, [])

/** Sends a form, whose body comes after the server has asked for it and `meanwhile` is done. */
async function sendLate(path: string, token: string, meanwhile: () => Promise<unknown>): Promise<number> {
  const { cookie, csrf } = visitorWith(server, token)
  const body = new URLSearchParams({ csrf, ...INVITED }).toString()
  const headers = {
    cookie,
    expect: '100-continue',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = httpRequest(new URL(world.addressOf(path), server.url), { method: 'POST', agent: false, headers })
  request.on('error', reject)
  request.on('response', (response) => {
    response.resume()
    response.on('end', () => resolve(response.statusCode ?? 0))
  })
  request.on('continue', () => {
    meanwhile().then(() => request.end(body), reject)
  })
  request.flushHeaders()
  return promise
}

/** Of `/users/new`; other forms do not know this field. */
const INVITED = { email: 'invited@example.org' }

const FORMS = PAGES.filter(({ receive }) => receive !== undefined).map(({ path }) => path)

describe('a form whose body comes late is not taken', () => {
  it.each(FORMS)('%s, where the session has ended', async (path) => {
    const token = await giveToken(server.context, { uuid: mallory })
    const { database, domain } = server.context
    const end = () =>
      writeAccess(database, domain.id, (sql) => deleteArtifact(sql, domain.id, 'AccessToken', tokenHash(token)))
    // The browser is sent to sign in.
    expect(await sendLate(path, token, end)).toBe(303)
  })

  it.each(FORMS)('%s, where the role was taken away', async (path) => {
    const token = await giveToken(server.context, { uuid: mallory })
    expect(await sendLate(path, token, dismiss)).toBe(403)
    await appoint()
  })

  it('and what it asks for is not done', async () => {
    const invited = () => findAccountByLogin(server.context, 'person', INVITED.email)
    const token = await giveToken(server.context, { uuid: mallory })
    expect(await sendLate('/users/new', token, () => setStatus('DEACTIVATED'))).toBe(303)
    expect(await invited()).toBeNull()
    await setStatus('ACTIVATED')
    const other = await giveToken(server.context, { uuid: mallory })
    expect(await sendLate('/users/new', other, () => Promise.resolve())).toBe(303)
    expect(await invited()).toMatchObject(INVITED)
    const { text } = await visitorWith(server, other).get(`/users/${INVITED.email}`)
    expect(text).toMatch(/made it[\s\S]*Revoke the link/)
  })
})
