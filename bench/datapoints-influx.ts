import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toInflux, type Load } from './datapoints-client.ts'

/** InfluxDB 1, where it is installed: `influxd` of Debian's package `influxdb`. */
export interface InfluxServer {
  readonly version: string
  readonly pid: number
  readonly load: Pick<Load, 'url' | 'head' | 'format' | 'success'>
  /** From the JSON of datapoints up to their values. */
  seriesOf(json: readonly string[]): string[]
  /** Reads an answer, which is JSON, to its end. */
  query(text: string): Promise<string>
  stop(): Promise<void>
}

/** Null where it is not installed. */
export async function startInflux(): Promise<InfluxServer | null> {
  const { stdout } = spawnSync('influxd', ['version'], { encoding: 'utf8' })
  const version = /InfluxDB v?(\S+)/.exec(stdout ?? '')?.[1]
  if (version === undefined) return null
  const home = mkdtempSync(join(tmpdir(), 'holdfast-bench-influx-'))
  const [port, backup] = [await findFreePort(), await findFreePort()]
  const config = join(home, 'influxdb.conf')
  writeFileSync(config, configuration(home, port, backup))
  const child = spawn('influxd', ['run', '-config', config], { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await ready(url)
  await fetch(`${url}/query`, { method: 'POST', body: new URLSearchParams({ q: 'create database bench' }) })
  return {
    version,
    pid: child.pid ?? 0,
    load: toInflux(url),
    seriesOf: (json) => json.map(lineOf),
    query: async (text) => {
      const parameters = new URLSearchParams({ db: 'bench', epoch: 'ms', q: text })
      const response = await fetch(`${url}/query?${parameters.toString()}`)
      if (!response.ok) throw new Error(`InfluxDB answered ${response.status}: ${await response.text()}`)
      return response.text()
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** As it is delivered: each write is synced to the disk before it is answered (`wal-fsync-delay` is 0s). */
function configuration(home: string, port: number, backup: number): string {
  return `reporting-disabled = true
bind-address = "127.0.0.1:${backup}"
[meta]
  dir = "${home}/meta"
[data]
  dir = "${home}/data"
  wal-dir = "${home}/wal"
  wal-fsync-delay = "0s"
  query-log-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
[monitor]
  store-enabled = false
`
}

/** A series is named by the two uuids that differ; service and system would be tags that say the same everywhere. */
function lineOf(json: string): string {
  const uuid = (field: string) => new RegExp(`"${field}":"([^"]+)"`).exec(json)?.[1]
  return `points,characteristic=${uuid('characteristic_uuid')},component=${uuid('component_uuid')} value=`
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function ready(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isUp = await fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('InfluxDB does not answer')
}
