import { connect } from 'node:net'
import { median } from './measure.ts'
import type { Load, Loaded } from './datapoints-client.ts'

// A client process that sends batches as fast as they are answered, over some connections. Bodies are made once and only
// the bytes of values and times are written anew: it shares the machine with what is measured.

interface Batch {
  readonly bytes: Buffer
  /** Where the value and the time of each point are, and which point of its series it is. */
  readonly values: Uint32Array
  readonly times: Uint32Array
  readonly first: Uint32Array
}

/** Temperatures with one decimal, 10.0 to 29.9. */
const VALUES = Array.from({ length: 200 }, (_, tenths) => Buffer.from(((100 + tenths) / 10).toFixed(1)))
const VALUE_LENGTH = 4
/** They change slowly, and never stand quite still. */
const WAVE = Int32Array.from({ length: 8_192 }, (_, index) => Math.round(100 + 80 * Math.sin(index / 1_304)))

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
        setPoints(batch, load, Math.floor(number / batches.length) * perRound(load, batches.length))
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
    p50: median(times),
    p99: times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.99)] ?? Number.NaN,
    cpu: (user + system) / 1_000,
  }
}

/** How many points of each series a round of all batches has. */
function perRound({ batch, series }: Load, batches: number): number {
  return Math.ceil((batches * batch) / series.length)
}

/** Each series in turn, until a batch begins with the first one again; at least twice as many as there are connections. */
function makeBatches(load: Load): Batch[] {
  const count = Math.max(load.connections * 2, Math.ceil(load.series.length / load.batch))
  return Array.from({ length: count }, (_, number) => makeBatch(load, number * load.batch))
}

function makeBatch({ series, batch, url, head, format }: Load, begin: number): Batch {
  const [values, times, first] = [new Uint32Array(batch), new Uint32Array(batch), new Uint32Array(batch)]
  const parts: string[] = []
  let length = format.open.length
  for (let index = 0; index < batch; index++) {
    const text = series[(begin + index) % series.length] ?? ''
    values[index] = length + text.length
    times[index] = length + text.length + VALUE_LENGTH + format.beforeTime.length
    first[index] = Math.floor((begin + index) / series.length)
    const part = `${text}20.0${format.beforeTime}${timeText(0, format.time)}${format.afterTime}`
    parts.push(part)
    length += part.length + format.separator.length
  }
  const body = `${format.open}${parts.join(format.separator)}${format.close}`
  const lines = [...head, `host: ${new URL(url).host}`, `content-length: ${body.length}`]
  const header = `${lines.join('\r\n')}\r\n\r\n`
  const offset = (place: number) => place + header.length
  return { bytes: Buffer.from(header + body, 'latin1'), values: values.map(offset), times: times.map(offset), first }
}

function timeText(milliseconds: number, time: Load['format']['time']): string {
  return time === 'iso' ? new Date(milliseconds).toISOString() : String(milliseconds).padStart(13, '0')
}

function setPoints({ bytes, values, times, first }: Batch, { from, format }: Load, seconds: number): void {
  let last = -1
  let time = Buffer.alloc(0)
  for (let index = 0; index < first.length; index++) {
    const second = seconds + (first[index] ?? 0)
    if (second !== last) time = Buffer.from(timeText(from + second * 1_000, format.time))
    last = second
    write(bytes, time, times[index] ?? 0)
    write(bytes, VALUES[valueAt(second, index)] ?? time, values[index] ?? 0)
  }
}

function valueAt(second: number, index: number): number {
  return (WAVE[(second + index * 37) & 8_191] ?? 0) + ((second * 7_919 + index * 104_729) % 11) - 5
}

/** For so few bytes a loop is faster than `set`. */
function write(bytes: Buffer, from: Buffer, at: number): void {
  for (let index = 0; index < from.length; index++) bytes[at + index] = from[index] ?? 0
}

interface Client {
  send(bytes: Buffer): Promise<void>
  close(): void
}

async function open({ url, success }: Load): Promise<Client> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let answer = ''
  let answered: { resolve(): void; reject(error: Error): void } | undefined
  socket.on('close', () => answered?.reject(new Error('the server has closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    if (!answer.includes('\r\n\r\n')) return
    if (answer.startsWith(`HTTP/1.1 ${success}`)) answered?.resolve()
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
