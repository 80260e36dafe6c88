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
      let client = await open(load)
      for (let number = next++; number < total; number = next++) {
        const batch = batches[number % batches.length] as Batch
        setPoints(batch, load, Math.floor(number / batches.length) * perRound(load, batches.length))
        await due(load, begin, number)
        // Servers close what nothing came over for some seconds.
        if (!client.isOpen()) client = await open(load)
        const start = performance.now()
        // What is asked to wait comes again when it was told to, and its time goes on.
        for (let wait = await client.send(batch.bytes); wait > 0; wait = await client.send(batch.bytes))
          await new Promise((resolve) => setTimeout(resolve, wait * 1_000))
        times.push(performance.now() - start)
      }
      client.close()
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  const sorted = Float64Array.from(times).sort()
  return {
    seconds: (performance.now() - begin) / 1_000,
    points: total * load.batch,
    p50: median(times),
    p99: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN,
    times: sorted,
    cpu: (user + system) / 1_000,
  }
}

/** Waits until a batch is to be sent, where not all are sent at once. */
async function due({ perSecond, batch }: Load, begin: number, number: number): Promise<void> {
  if (perSecond === undefined) return
  const wait = begin + (number * batch * 1_000) / perSecond - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}

/** How many points of each series a round of all batches has. */
function perRound({ batch, series }: Load, batches: number): number {
  return Math.ceil((batches * batch) / series.length)
}

/** Each series in turn, in whole rounds where one takes several batches; at least two batches for each connection. */
function makeBatches(load: Load): Batch[] {
  const perRound = Math.ceil(load.series.length / load.batch)
  const count = perRound * Math.ceil((load.connections * 2) / perRound)
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

/** `sent`: how many points of each series were sent before. */
function setPoints({ bytes, values, times, first }: Batch, { from, step = 1_000, format }: Load, sent: number): void {
  let last = -1
  let time = Buffer.alloc(0)
  for (let index = 0; index < first.length; index++) {
    const number = sent + (first[index] ?? 0)
    if (number !== last) time = Buffer.from(timeText(from + number * step, format.time))
    last = number
    write(bytes, time, times[index] ?? 0)
    write(bytes, VALUES[valueAt(number, index)] ?? time, values[index] ?? 0)
  }
}

function valueAt(number: number, index: number): number {
  return (WAVE[(number + index * 37) & 8_191] ?? 0) + ((number * 7_919 + index * 104_729) % 11) - 5
}

/** For so few bytes a loop is faster than `set`. */
function write(bytes: Buffer, from: Buffer, at: number): void {
  for (let index = 0; index < from.length; index++) bytes[at + index] = from[index] ?? 0
}

function retryAfter(answer: string): number {
  return Number(/^retry-after: (\d+)/im.exec(answer)?.[1] ?? 1)
}

interface Client {
  isOpen(): boolean
  /** For how many seconds to wait before it is sent again; 0: it was taken. */
  send(bytes: Buffer): Promise<number>
  close(): void
}

async function open({ url, success }: Load): Promise<Client> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let answer = ''
  let answered: { resolve(wait: number): void; reject(error: Error): void } | undefined
  socket.on('close', () => answered?.reject(new Error('the server has closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    if (!answer.includes('\r\n\r\n')) return
    if (answer.startsWith(`HTTP/1.1 ${success}`)) answered?.resolve(0)
    else if (answer.startsWith('HTTP/1.1 503')) answered?.resolve(retryAfter(answer))
    else answered?.reject(new Error(answer))
    answer = ''
  })
  return {
    isOpen: () => socket.writable,
    send: (bytes) =>
      new Promise((resolve, reject) => {
        answered = { resolve, reject }
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}
