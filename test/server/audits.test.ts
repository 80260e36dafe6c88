import { serverAudits, type Audit } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANY_DATABASE } from '../support/databases.ts'
import { startTestServer, TOKEN, type TestServer } from './test-server.ts'

// The GraphQL over HTTP audits (https://github.com/graphql/graphql-http/blob/main/implementations.md).

let server: TestServer | undefined
beforeAll(async () => {
  server = await startTestServer(await ANY_DATABASE.openMigrated())
})
afterAll(() => server?.close())

/** Queries in the address end up in logs, so GET is refused; the audits say MAY of it. */
const ABOUT_GET = /\bGETs?\b/

const audits: readonly Audit[] = serverAudits({
  url: () => `${server?.url ?? ''}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${TOKEN}` } }),
})

describe('GraphQL over HTTP', () => {
  it('has these audits', () => {
    expect(audits).toHaveLength(61)
  })

  it.each(audits.filter(({ name }) => !ABOUT_GET.test(name)))('$name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' })
  })

  it.each(audits.filter(({ name }) => ABOUT_GET.test(name)))('$name: GET is refused', async ({ name, fn }) => {
    expect(name).toMatch(/^MAY/)
    const result = await fn()
    expect(result.status === 'ok' ? 405 : result.response.status).toBe(405)
  })
})
