import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { changeDelegatedUser, listDelegatedUsers } from '../../../src/platform/access/delegated/delegated-users.ts'
import { createDelegatedMethod, deleteMethod } from '../../../src/platform/access/methods/methods.ts'
import type { Reply } from '../../support/cookie-client.ts'
import { startExternalIssuer, type ExternalIssuer } from '../../support/external-issuer.ts'
import { startLoginServer, type LoginServer } from '../../support/login-server.ts'
import { comeBack, locationOf, newBrowser } from './company-visit.ts'

// Whoever comes back from another provider, everything there right, and is not let in all the same.

let server: LoginServer
let company: ExternalIssuer
let method: string

beforeAll(async () => {
  const people = [{ sub: 'carol', email: 'carol@company.example', email_verified: true }]
  company = await startExternalIssuer(() => ({ redirectUris: [`${server.url}/login/callback`], people }))
  server = await startLoginServer({ allowedOrigins: [company.issuer] })
})
beforeEach(async () => {
  const { issuer, clientId, clientSecret } = company
  const configuration = { issuer, clientId, clientSecret }
  method = (await createDelegatedMethod(server.context, { status: 'ACTIVATED', configuration })).uuid
  return () => deleteMethod(server.context, method)
})
afterAll(async () => {
  await server.close()
  await company.close()
})

async function signIn(between: () => Promise<unknown> = () => Promise.resolve()): Promise<Reply> {
  const browser = newBrowser()
  const back = await comeBack(server, browser)
  await between()
  return browser.here.open(back)
}

function script(text: string): Promise<void> {
  return server.context.database.script(text)
}

it('somebody is let in where nothing is wrong', async () => {
  expect(locationOf(await signIn())).toContain(`${server.application.callback}?code=`)
})

it('after ten minutes nobody comes back any more', async () => {
  const reply = await signIn(() => script(`update artifacts set expires_at = now() where kind = 'ExternalLogin'`))
  expect(reply).toMatchObject({ status: 400, text: expect.stringContaining('This sign-in has expired') })
  expect(reply.text).toContain('href="/">Go to the first page')
})

it.each(['DEACTIVATED', 'ARCHIVED'] as const)('a person who is %s here is not signed in', async (status) => {
  await signIn()
  const [carol] = await listDelegatedUsers(server.context, { first: 1, after: null })
  await changeDelegatedUser(server.context, carol?.uuid ?? '', status)
  expect((await signIn()).text).toContain('may not sign in here')
  await changeDelegatedUser(server.context, carol?.uuid ?? '', 'ACTIVATED')
  expect(locationOf(await signIn())).toContain('code=')
})

it('an ID token that is not signed with a key that the provider publishes proves nothing', async () => {
  company.publishAnotherKey()
  expect((await signIn()).text).toContain('Signing in at the other provider did not work')
})
