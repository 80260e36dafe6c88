import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type RunningServer } from '../../src/server/process/start-server.ts'
import { freePort } from '../support/free-port.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { operatorToken } from '../support/password-token.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'

interface Made {
  readonly uuid: string
  readonly supports: readonly object[]
}

const MODEL = {
  characteristics: [{ code: 'power', name: 'Power', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }],
  services: [{ code: 'metering', name: 'Metering', characteristics: [{ code: 'power' }] }],
  componentModels: [{ code: 'meter', name: 'Meter', componentType: 'DEVICE', services: [{ code: 'metering' }] }],
}

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
    // Nothing heavy was asked yet, so there is no thread for it.
    expect(samples.get('holdfast_heavy_heap_bytes')).toBe(0)
    expect(samples.get('holdfast_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  })
})

it('say what the platform has stored, and what waits', async () => {
  await withServer({}, async ({ url }, told) => {
    const token = await operatorToken(url, directory)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) => {
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, json: (await answer.json().catch(() => null)) as { [name: string]: unknown } }
    }
    const ask = async (query: string) => (await post('/graphql', { query })).json['data'] as { [name: string]: Made }
    const { json: plan } = await post('/rest/v1/import', MODEL)
    await post(`/rest/v1/import?apply=${String(plan['digest'])}`, MODEL)
    await post(`/rest/v1/import?apply=sha256:${'0'.repeat(64)}`, MODEL)
    const { createSystem } = await ask('mutation { createSystem(input: { name: "House" }) { uuid } }')
    const { createComponent } = await ask(`mutation {
      createComponent(input: { system: "${createSystem?.uuid}", componentModel: "meter", name: "Meter" }) {
        uuid supports { service_uuid: serviceUuid characteristic_uuid: characteristicUuid } } }`)
    const place = {
      system_uuid: createSystem?.uuid,
      component_uuid: createComponent?.uuid,
      ...createComponent?.supports[0],
    }
    const stored = await post(
      '/rest/v1/data-points/add',
      [1, 2, 3].map((value) => ({ ...place, value })),
    )
    expect({ status: stored.status, told }).toMatchObject({ status: 201 })
    const samples = samplesIn(await (await fetch(`${url}/metrics`)).text())
    expect(Object.fromEntries(samples)).toMatchObject({
      'holdfast_applies_total{outcome="done"}': 1,
      'holdfast_applies_total{outcome="stale"}': 1,
      'holdfast_applies_total{outcome="blocked"}': 0,
      holdfast_datapoints_stored_total: 3,
      holdfast_datapoints_hot: 3,
      holdfast_datapoints_fold_delay_seconds: expect.toSatisfy((seconds: number) => seconds > 0) as number,
      holdfast_open_streams: 0,
      holdfast_waiting_polls: 0,
      'holdfast_database_connections{state="used"}': expect.any(Number) as number,
      'holdfast_database_connections{state="idle"}': expect.any(Number) as number,
      holdfast_database_waiting: 0,
      holdfast_database_up: 1,
      holdfast_database_oldest_statement_seconds: expect.any(Number) as number,
      holdfast_database_unanswered_total: 0,
      holdfast_heavy_requests: 0,
      holdfast_heavy_heap_bytes: expect.toSatisfy((bytes: number) => bytes > 1_000_000) as number,
      'holdfast_database_connections{thread="heavy",state="idle"}': expect.any(Number) as number,
      'holdfast_database_waiting{thread="heavy"}': 0,
    })
    const open = await fetch(`${url}/metrics`, {
      headers: { accept: 'application/openmetrics-text;version=1.0.0,*/*;q=0.1' },
    })
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(await open.text()).toMatch(
      /^# TYPE holdfast_datapoints_stored counter\nholdfast_datapoints_stored_total 3\n[^]*\n# EOF\n$/m,
    )
  })
})

it('are named on the page about them, all of them', async () => {
  const page = readFileSync(new URL('../../docs/how-to/metrics.md', import.meta.url), 'utf8')
  await withServer({}, async ({ url }) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const families = Array.from(text.matchAll(/^# TYPE (holdfast_\w+)/gm), ([, name = '']) => name)
    expect(families.filter((name) => !page.includes(`\`${name}`))).toStrictEqual([])
  })
})

it('are for this machine alone, and not behind a proxy', async () => {
  await withServer({}, async ({ url }) => {
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'via', 'forwarded']) {
      const answer = await fetch(`${url}/metrics`, { headers: { [header]: '203.0.113.7' } })
      expect(answer.status).toBe(404)
    }
  })
})

it.each(['HOLDFAST_BASE_URL', 'HOLDFAST_TRUSTED_PROXIES'])('are not on the port of the API with %s', async (name) => {
  const PORT = String(await freePort())
  const env = { PORT, [name]: name === 'HOLDFAST_BASE_URL' ? 'https://acme.example.com' : '127.0.0.1' }
  await withServer(env, async () => {
    // A proxy on this machine may send no header that tells of it.
    expect((await fetch(`http://127.0.0.1:${PORT}/metrics`)).status).toBe(404)
  })
  await withServer({ ...env, METRICS_PORT: '0' }, async (_, told) => {
    const [, own = ''] = /Metrics are at (\S+)\/metrics/.exec(told) ?? []
    expect((await fetch(`${own}/metrics`)).status).toBe(200)
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
