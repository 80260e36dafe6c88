import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type RunningServer } from '../../src/server/serve.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'

let database: PostgresDatabase
let directory: string
beforeAll(async () => {
  database = await createPostgresDatabase(MIGRATED_TEMPLATE)
  directory = mkdtempSync(join(tmpdir(), 'holdfast-metrics-'))
})
afterAll(async () => {
  await database.drop()
  rmSync(directory, { recursive: true })
})

async function withServer<T>(
  env: { readonly [name: string]: string },
  work: (server: RunningServer, told: string) => Promise<T>,
): Promise<T> {
  let told = ''
  const server = await startServer({
    env: {
      PORT: '0',
      DATABASE_URL: database.url,
      HOLDFAST_KEY: 'ab'.repeat(32),
      HOLDFAST_DATA_DIR: directory,
      ...env,
    },
    cwd: directory,
    logger: { info: () => undefined, error: () => undefined },
    tell: (text) => {
      told += `${text}\n`
    },
  })
  try {
    return await work(server, told)
  } finally {
    await server.stop()
  }
}

/** As Prometheus reads it: `name{labels} value` after a HELP and a TYPE of each family. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const families = new Set<string>()
  const samples = new Map<string, number>()
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n')) {
    const [, family] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (family !== undefined) families.add(family)
    if (line.startsWith('#')) continue
    const [, name = '', labels = '', value = ''] = /^(\w+)(\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? (\S+)$/.exec(line) ?? []
    expect({ line, isOfFamily: families.has(name.replace(/_(bucket|sum|count)$/, '')) }).toEqual({
      line,
      isOfFamily: true,
    })
    expect({ line, isNumber: /^[\d.e+-]+$/.test(value) }).toEqual({ line, isNumber: true })
    samples.set(name + labels, Number(value))
  }
  return samples
}

it('counts requests by route, method and status, and nothing that anybody could name', async () => {
  await withServer({}, async ({ url }) => {
    for (const path of ['/healthz', '/healthz', '/rest/v1/nothing-1', '/nothing-2', '/nothing-3'])
      await fetch(url + path)
    await fetch(`${url}/graphql`, { method: 'MKCOL' })
    const answer = await fetch(`${url}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await answer.text()
    const samples = samplesIn(text)
    const count = (method: string, route: string, status: number) =>
      samples.get(`holdfast_http_requests_total{method="${method}",route="${route}",status="${status}"}`)
    expect(count('GET', '/healthz', 200)).toBe(2)
    expect(count('GET', '/rest/*', 401)).toBe(1)
    expect(count('GET', 'none', 404)).toBe(2)
    expect(count('other', '/graphql', 401)).toBe(1)
    expect(text).not.toMatch(/nothing-|MKCOL|local"/)
    const bucket = 'holdfast_http_request_duration_seconds_bucket{route="/healthz",le="+Inf"}'
    expect(samples.get(bucket)).toBe(2)
    expect(samples.get('holdfast_ready')).toBe(1)
    expect(samples.get('holdfast_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  })
})

it('are for this machine alone, and not behind a proxy', async () => {
  await withServer({}, async ({ url }) => {
    for (const header of ['x-forwarded-for', 'forwarded']) {
      const answer = await fetch(`${url}/metrics`, { headers: { [header]: '203.0.113.7' } })
      expect(answer.status).toBe(404)
    }
  })
})

it('have a port of their own where one is named, and are only there', async () => {
  await withServer({ METRICS_PORT: '0' }, async ({ url }, told) => {
    const [, own = ''] = /Metrics are at (\S+)\/metrics/.exec(told) ?? []
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    expect((await fetch(`${own}/metrics`, { headers })).status).toBe(200)
    expect((await fetch(`${own}/graphql`)).status).toBe(404)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
  })
})

it('say which port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(withServer({ METRICS_PORT: String(port) }, () => Promise.resolve())).rejects.toThrow(
    /another program does\. Stop that one, or set METRICS_PORT to another port/,
  )
  other.close()
})
