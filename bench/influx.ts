import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { toInflux, type Receiver } from './load.ts'
import { tell } from './measure.ts'
import { atExit, temporaryDirectory } from './server.ts'

/** InfluxDB 1, if it is installed: `influxd` of Debian's package `influxdb`. */
export interface InfluxServer {
  readonly version: string
  readonly pid: number
  readonly receiver: Receiver
  /** Reads an answer, which is JSON, to its end. */
  query(text: string): Promise<string>
}

/** What a report says about it. */
export function aboutInflux(influx: InfluxServer | null): string {
  return influx === null
    ? 'InfluxDB was not found, so nothing is compared with it.'
    : `InfluxDB ${influx.version} gets the same points in batches of the same size, with two tags for a series and its WAL synced for each write, as it is delivered.`
}

/** Null if it is not installed. */
export async function startInflux(): Promise<InfluxServer | null> {
  const { stdout } = spawnSync('influxd', ['version'], { encoding: 'utf8' })
  const version = /InfluxDB v?(\S+)/.exec(stdout ?? '')?.[1]
  if (version === undefined) {
    tell('InfluxDB (influxd) was not found: nothing is compared with it')
    return null
  }
  const home = temporaryDirectory()
  const [port, backup] = [await findFreePort(), await findFreePort()]
  const file = join(home, 'influxdb.conf')
  writeFileSync(file, configuration(home, port, backup))
  const child = spawn('influxd', ['run', '-config', file], { stdio: 'ignore' })
  atExit(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await ready(url)
  await fetch(`${url}/query`, { method: 'POST', body: new URLSearchParams({ q: 'create database bench' }) })
  return {
    version,
    pid: child.pid ?? 0,
    receiver: toInflux(url),
    query: async (text) => {
      const parameters = new URLSearchParams({ db: 'bench', epoch: 'ms', q: text })
      const response = await fetch(`${url}/query?${parameters.toString()}`)
      if (!response.ok) throw new Error(`InfluxDB answered ${response.status}: ${await response.text()}`)
      return response.text()
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
    const reply = await fetch(`${url}/ping`).catch(() => null)
    if (reply?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('InfluxDB does not answer')
}
