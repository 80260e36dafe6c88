import { createServer, request as forward, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as Client from '../../src/api-client/index.ts'
import { site, thermostat, useWorld } from '../api-client/world.ts'
import { server } from '../server/one-server.ts'
import { TOKEN } from '../server/test-server.ts'
import { addressOf } from '../../src/server/process/listen.ts'
import { launchChromium, newVisitor, NO_CHROMIUM } from './chromium.ts'

// The client as an application bundles it for browsers, on a page whose server passes requests on to the platform.

const ENTRY = fileURLToPath(new URL('../../src/api-client/index.ts', import.meta.url))

/** The files of the bundle, by their names. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const lib = { entry: ENTRY, formats: ['es' as const], fileName: 'client' }
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, minify: true, lib } })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  return new Map(outputs.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : [])))
}

describe.skipIf(NO_CHROMIUM)('the client in a browser (needs Chromium)', () => {
  useWorld()
  let browser: Browser
  let pages: Server
  let files: ReadonlyMap<string, string>

  beforeAll(async () => {
    ;[browser, files] = await Promise.all([launchChromium(), bundle()])
    pages = createServer((incoming, outgoing) => {
      const name = incoming.url?.slice(1) ?? ''
      const file = files.get(name)
      if (file !== undefined) outgoing.setHeader('content-type', 'text/javascript').end(file)
      else if (name === '') outgoing.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>')
      else {
        const { method, headers } = incoming
        const onward = forward(new URL(name, server.url), { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        })
        onward.on('error', () => outgoing.destroy())
        outgoing.on('close', () => onward.destroy())
        incoming.pipe(onward)
      }
    })
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser.close()
    pages.closeAllConnections()
    pages.close()
  })

  it('is small, and needs nothing of Node', () => {
    const [main = ''] = [...files].flatMap(([name, code]) => (name.startsWith('client') ? [code] : []))
    const size = gzipSync(main).length
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(40_000)
    for (const code of files.values()) expect(code).not.toMatch(/["']node:|process\.versions|\bBuffer\./)
  })

  it.each(['by the server of the page', 'at an address that allows the page'])(
    'sends, reads, follows and sets, %s',
    async (way) => {
      const { page, complaints } = await newVisitor(browser)
      await page.goto(addressOf(pages))
      await server.data('mutation ($origins: [String!]) { updateDomain(allowedOrigins: $origins) { uuid } }', {
        origins: [addressOf(pages)],
      })
      const url = way.startsWith('by') ? addressOf(pages) : server.url
      const found = await page.evaluate(visit, { url, token: TOKEN, uuid: thermostat, boiler: site.boiler })
      expect(found).toStrictEqual({
        hasServiceChange: true,
        latest: [20.5, 'away'],
        followed: { 'heating/target': 20.5, 'heating/mode': 'away' },
        state: 'PENDING',
        taken: ['heating/pump', true],
        failure: ['ApiError', 'CONFLICT'],
      })
      expect(complaints).toStrictEqual([])
    },
  )
})

interface Visit {
  readonly url: string
  readonly token: string
  readonly uuid: string
  readonly boiler: string
}

/** Runs in the page. */
async function visit({ url, token, uuid, boiler }: Visit) {
  const path = '/client.js'
  const { connect, ApiError } = (await import(path)) as typeof Client
  const leave = new AbortController()
  const holdfast = connect({ url, token, format: 'msgpack', signal: leave.signal })
  const thermostat = holdfast.component('thermostat', uuid)
  const changes = thermostat.follow()
  await changes.next()
  const { serviceChange } = await thermostat.send(
    { 'heating/target': 20.5, 'heating/mode': 'away' },
    { timestamp: 1_768_000_000_000 },
  )
  const { value: change } = await changes.next()
  const latest = await holdfast.latest([thermostat.at('heating/target'), thermostat.at('heating/mode')])
  const { state } = await thermostat.setSetpoint('heating/pump', true)
  const { value: pending } = await thermostat.takeSetpoints().next()
  await holdfast.answerSetpoints([{ uuid: pending.uuid, state: 'APPLIED' }])
  const failure: unknown = await holdfast
    .component('thermostat', boiler)
    .latest('heating/pump')
    .catch((error: unknown) => error)
  leave.abort()
  return {
    hasServiceChange: serviceChange !== null,
    latest: latest.map((point) => point?.value),
    followed: Object.fromEntries(change.points.map((point) => [point.path, point.value])),
    state,
    taken: [pending.path, pending.value],
    failure: failure instanceof ApiError ? ['ApiError', failure.code] : failure,
  }
}
