import { beforeEach, expect, it } from 'vitest'
import { checkPassword, findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { createPasswordLink } from '../../../src/platform/access/accounts/password-links.ts'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import { ANN } from '../../support/login-server.ts'
import { server, useLoginServer } from './one-login-server.ts'

let link: string
useLoginServer()
beforeEach(async () => {
  link = (await createPasswordLink(server.context, ANN.email, 'operator')).token
})

const NEW = 'a new password of many words'

function open(client: CookieClient, token = link): Promise<Reply> {
  return client.get(`${server.url}/login/password?link=${token}`)
}

it('a link sets the password of the person whom it is for, once', async () => {
  const client = new CookieClient()
  const page = await open(client)
  expect(page.text).toContain(`value="${ANN.email}"`)
  const saved = await client.submit(page, { password: NEW, repeated: NEW })
  expect(saved).toMatchObject({ status: 200, text: expect.stringContaining('Password saved') })
  const ann = await findAccountByLogin(server.context, 'person', ANN.email)
  expect(await checkPassword(server.context, ANN.email, NEW)).toMatchObject(ann ?? {})
  for (const reply of [await open(client), await client.submit(page, { password: NEW, repeated: NEW })])
    expect(reply).toMatchObject({ status: 404, text: expect.stringContaining('cannot be used any more') })
})

it.each([
  ['are not the same', { password: NEW, repeated: `${NEW}!` }, 'not the same'],
  ['are too short', { password: 'short', repeated: 'short' }, 'The password has 5 characters and needs at least 12'],
  ['are too long', { password: 'x'.repeat(1_025), repeated: 'x'.repeat(1_025) }, 'longer than 1024 bytes'],
  [
    'are the name of the account',
    { password: ANN.email.toUpperCase(), repeated: ANN.email.toUpperCase() },
    'which others know',
  ],
  ['are not there', {}, 'needs at least 12'],
])('passwords that %s are explained, and the link stays good', async (_, fields, problem) => {
  const client = new CookieClient()
  const reply = await client.submit(await open(client), fields)
  expect(reply).toMatchObject({ status: 422, text: expect.stringContaining(problem) })
  expect((await client.submit(reply, { password: NEW, repeated: NEW })).text).toContain('Password saved')
})

it('a form of another page or browser sets nothing', async () => {
  const client = new CookieClient()
  const page = await open(client)
  const fields = { password: 'set by somebody else', repeated: 'set by somebody else' }
  const replies = [await client.submit(page, { ...fields, csrf: '' }), await new CookieClient().submit(page, fields)]
  for (const { status } of replies) expect(status).toBe(422)
  expect(await checkPassword(server.context, ANN.email, fields.password)).toBeNull()
})

it.each(['', 'made-up', 'x'.repeat(43)])('the link %j is none', async (token) => {
  expect(await open(new CookieClient(), token)).toMatchObject({
    status: 404,
    text: expect.stringContaining('cannot be used any more'),
  })
})

it('a newer link takes the place of the one before', async () => {
  await createPasswordLink(server.context, ANN.email, 'operator')
  expect((await open(new CookieClient())).status).toBe(404)
})

it('the log has no link and no password', () => {
  expect(server.log.join('\n')).not.toMatch(new RegExp(`link=|${NEW}`))
})
