import { expect, it } from 'vitest'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { OPERATOR } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { ANN } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// A form is carried out once, also where the person reloads the page that its answer shows.

useConsole()

const look = async (where: string, cookie: string) => (await fetch(server.url + where, { headers: { cookie } })).text()

it('shows a secret after a redirect, once, and to the session that made it alone', async () => {
  const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'House' })
  const path = `/systems/${uuid}/credentials`
  const sent = await operator.post(path, { act: 'create' })
  expect([sent.status, sent.location, sent.text]).toStrictEqual([303, path, ''])
  const [once = ''] = sent.cookies
  const shown = await look(path, `${operator.cookie}; ${once}`)
  const [, password = ''] = /id="secret"[^>]*>([^<]+)</.exec(shown) ?? []
  expect(password).toMatch(/^\S{20,}$/)
  expect(shown).not.toContain('data-may-reload')
  const other = await consoleVisitor(server, OPERATOR)
  for (const [where, cookie] of [
    [path, operator.cookie],
    [`/systems/${uuid}`, `${operator.cookie}; ${once}`],
    [path, `${other.cookie}; ${once}`],
    [path, `${operator.cookie}; ${once}AA`],
  ] as const)
    expect(await look(where, cookie)).not.toContain(password)
  const again = await operator.get(path)
  expect(again.text.match(/ask-revoke/g)).toHaveLength(1)
  expect(again.text).toContain('data-may-reload')
})

it.each([
  ['/users/new', { email: 'eve@example.org' }, '/users/eve%40example.org'],
  [`/users/${encodeURIComponent(ANN.email)}`, { act: 'link' }, '/users/ann%40example.org'],
  ['/application-consumers/new', { slug: 'app', name: 'App' }, '/application-consumers/app'],
  ['/application-consumers/trusted', { act: 'rotate' }, '/application-consumers/trusted'],
])('answers %s %j by a redirect', async (path, fields, to) => {
  const { status, location, text } = await operator.post(path, fields)
  expect([status, location, text]).toStrictEqual([303, to, ''])
  expect((await operator.follow(path, fields)).text).not.toBe('')
})
