import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/lib/errors.ts'
import { ERROR_KINDS } from '../../src/server/requests/error-kinds.ts'
import { server, useServer } from './one-server.ts'

useServer()

const readPage = (host?: string) =>
  server.call({ method: 'GET', path: '/errors', authorization: null, ...(host !== undefined && { host }) })

it('the type of a problem leads to its section, without a token', async () => {
  const refused = await server.call({ method: 'GET', path: '/rest/v1/data-points', authorization: null })
  const { type } = refused.json as { readonly type: string }
  const address = new URL(type, new URL('/rest/v1/data-points', server.url))
  expect(address.pathname).toBe('/errors')
  const page = await readPage()
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  const section = page.text.split(`<section id="${address.hash.slice(1)}">`)[1]?.split('</section>')[0]
  expect(section).toContain('<code>WWW-Authenticate</code>')
})

it.each(ERROR_CODES)('the page explains %s and its statuses, and so does the documentation', async (code) => {
  const { text } = await readPage()
  const { title, status, others = {} } = ERROR_KINDS[code]
  const section = text.split(`<section id="${code}">`)[1]?.split('</section>')[0] ?? ''
  const markdown = readFileSync('generated/errors.md', 'utf8').split(`\n## ${code}\n`)[1]?.split('\n## ')[0] ?? ''
  for (const shown of [section, markdown]) {
    expect(shown).toContain(`${title}, HTTP ${status}`)
    for (const other of Object.keys(others)) expect(shown).toContain(`HTTP ${other}: `)
  }
})

it('the page is there at hosts of no domain, and while the server starts', async () => {
  const other = { method: 'GET', path: '/', authorization: null, host: 'nobody.example' }
  expect((await server.call(other)).status).toBe(421)
  expect((await readPage('nobody.example')).status).toBe(200)
  server.lifecycle.state = 'starting'
  try {
    expect((await server.call(other)).status).toBe(503)
    expect((await readPage()).status).toBe(200)
  } finally {
    server.lifecycle.state = 'ready'
  }
})

it('the page has no other method than GET', async () => {
  expect(await server.call({ path: '/errors' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})
