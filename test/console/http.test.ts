import { expect, it } from 'vitest'
import { FONT_HREF, STYLE_HREF } from '../../src/console/assets.ts'
import { openSession } from '../../src/console/session/session.ts'
import { OPERATOR } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { server, useConsole } from '../support/one-console.ts'

// How the console answers requests that no browser of a person sends.

useConsole()

it.each([
  ['PUT', '/', 'GET, HEAD'],
  ['DELETE', '/systems/new', 'GET, HEAD, POST'],
  ['POST', '/systems', 'GET, HEAD'],
  ['POST', '/systems/x/analyse/data', 'GET, HEAD'],
  ['GET', '/api/token', 'POST'],
])('refuses %s %s, and says what is possible', async (method, path, allow) => {
  const answer = await fetch(server.url + path, { method })
  expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, allow])
})

it.each([
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, br;q=0.5', 'gzip'],
  ['br;q=0', null],
  ['gzip', 'gzip'],
  ['', null],
])('packs a style sheet for %j as %s', async (accepted, coding) => {
  const answer = await fetch(server.url + STYLE_HREF, { headers: { 'accept-encoding': accepted } })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  expect(answer.headers.get('vary')).toBe('accept-encoding')
  expect(await answer.text()).toContain('@font-face')
})

it.each([STYLE_HREF, FONT_HREF])('answers that %s has not changed', async (href) => {
  const first = await fetch(server.url + href)
  const etag = first.headers.get('etag') ?? ''
  await first.arrayBuffer()
  const again = await fetch(server.url + href, { headers: { 'if-none-match': etag } })
  expect([again.status, again.headers.get('etag')]).toStrictEqual([304, etag])
  expect(again.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

it('compresses its pages, and gives each form another form of its token', async () => {
  const operator = await consoleVisitor(server, OPERATOR)
  const unmasked = openSession(server.context, operator.cookie.replace(/^[^=]*=/, ''))?.csrf ?? ''
  const read = async () => {
    const headers = { cookie: operator.cookie, 'accept-encoding': 'gzip' }
    const answer = await fetch(`${server.url}/systems/new`, { headers })
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-encoding')]).toStrictEqual([200, 'gzip'])
    expect(text).not.toContain(unmasked)
    return Array.from(text.matchAll(/name="csrf" value="([^"]+)"/g), ([, token = '']) => token)
  }
  const tokens = [...(await read()), ...(await read())]
  expect(tokens.length).toBeGreaterThan(3)
  expect(new Set(tokens).size).toBe(tokens.length)
  const answerTo = async (csrf: string) => {
    const body = new URLSearchParams({ csrf, name: 'House' })
    const headers = { cookie: operator.cookie }
    const options = { method: 'POST', redirect: 'manual', headers, body } as const
    return (await fetch(`${server.url}/systems/new`, options)).headers.get('location')
  }
  for (const csrf of tokens) expect(await answerTo(csrf)).toMatch(/^\/systems\//)
  const [token = ''] = tokens
  for (const csrf of ['', unmasked, token.slice(0, -4), `${token.slice(0, -4)}AAAA`, token.slice(43)])
    expect(await answerTo(csrf)).toMatch(/^\/console\/not-sent/)
})

it('shows the first page of a list where the address says nonsense', async () => {
  const operator = await consoleVisitor(server, OPERATOR)
  const { text } = await operator.get('/applies')
  const [, uuid] = /href="\/applies\/([\w-]{36})"/.exec(text) ?? []
  const list = await operator.get(`/applies/${uuid}?action=create&at=-5&from=-7`)
  expect(list.status).toBe(200)
  expect(list.text).not.toMatch(/[-−]\d+ – /)
})
