import { connect } from 'node:net'
import type { Socket } from 'node:net'

// A client process that sends batches as fast as they are answered, over some connections. Bodies are made once and only
// values and times are written anew: what is measured is the server.

export interface Load {
  readonly url: string
  readonly token: string
  /** JSON of a datapoint up to its value, for each series. */
  readonly series: readonly string[]
  readonly batch: number
  readonly connections: number
  readonly points: number
  /** Milliseconds since 1970 of the first point of each series; each further one is a second later. */
  readonly from: number
}

export interface Loaded {
  readonly seconds: number
  readonly points: number
  /** Milliseconds of each request. */
  readonly times: readonly number[]
  /** Processor time of this process, in milliseconds. */
  readonly cpu: number
}

interface Batch {
  readonly bytes: Buffer
  /** Where the time of each point is. */
  readonly places: readonly number[]
  /** Which point of its series each is, from the first body on. */
  readonly first: readonly number[]
}

const AFTER_VALUE = ',"timestamp":"'
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length

process.once(
  'message',
  (load: Load) => void run(load).then((loaded) => process.send?.(loaded, () => process.disconnect())),
)

async function run(load: Load): Promise<Loaded> {
  const batches = makeBatches(load)
  const total = Math.ceil(load.points / load.batch)
  const times: number[] = []
  let next = 0
  const begin = performance.now()
  const cpu = process.cpuUsage()
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const client = await open(load)
      for (let number = next++; number < total; number = next++) {
        const batch = batches[number % batches.length] as Batch
        setPoints(batch, load, Math.floor(number / batches.length))
        const start = performance.now()
        await client.send(batch.bytes)
        times.push(performance.now() - start)
      }
      client.close()
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return {
    seconds: (performance.now() - begin) / 1_000,
    points: total * load.batch,
    times,
    cpu: (user + system) / 1_000,
  }
}

/** Each series in turn, until a batch begins with the first one again; at least as many as there are connections. */
function makeBatches({ series, batch, connections, token, url }: Load): Batch[] {
  const count = Math.max(connections * 2, Math.ceil(series.length / batch))
  return Array.from({ length: count }, (_, number) => {
    const places: number[] = []
    const first: number[] = []
    const parts: string[] = []
    const head = headOf(url, token)
    let length = 1
    for (let index = 0; index < batch; index++) {
      const place = number * batch + index
      const text = `${series[place % series.length]}${VALUES[0]}${AFTER_VALUE}`
      places.push(length + text.length)
      first.push(Math.floor(place / series.length))
      parts.push(`${text}${' '.repeat(TIME_LENGTH)}"}`)
      length += text.length + TIME_LENGTH + 3
    }
    const body = `[${parts.join(',')}]`
    const header = `${head}content-length: ${body.length}\r\n\r\n`
    return { bytes: Buffer.from(header + body, 'latin1'), places: places.map((at) => at + header.length), first }
  })
}

function headOf(url: string, token: string): string {
  const lines = [
    'POST /rest/v1/data-points/add HTTP/1.1',
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
  ]
  return `${[...lines, 'content-type: application/json'].join('\r\n')}\r\n`
}

function setPoints({ bytes, places, first }: Batch, { from, batch, series, connections }: Load, round: number): void {
  const perRound = Math.ceil((Math.max(connections * 2, Math.ceil(series.length / batch)) * batch) / series.length)
  let last = -1
  let text = ''
  for (const [index, place] of places.entries()) {
    const second = round * perRound + (first[index] ?? 0)
    if (second !== last) text = new Date(from + second * 1_000).toISOString()
    last = second
    bytes.write(text, place, 'latin1')
    bytes.write(valueAt(second, index), place - AFTER_VALUE.length - 4, 'latin1')
  }
}

/** Temperatures with one decimal, 10.0 to 29.9: they change slowly, and never stand quite still. */
const VALUES = Array.from({ length: 200 }, (_, tenths) => ((100 + tenths) / 10).toFixed(1))

function valueAt(second: number, index: number): string {
  const noise = ((second * 7_919 + index * 104_729) % 11) - 5
  return VALUES[Math.round(100 + 80 * Math.sin(second / 900 + index) + noise)] ?? ''
}

interface Client {
  send(bytes: Buffer): Promise<void>
  close(): void
}

async function open({ url }: Load): Promise<Client> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let answer = ''
  let answered: { resolve(): void; reject(error: Error): void } | undefined
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    if (!answer.includes('\r\n\r\n')) return
    if (answer.startsWith('HTTP/1.1 201')) answered?.resolve()
    else answered?.reject(new Error(answer))
    answer = ''
  })
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        answered = { resolve, reject }
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}
