import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { percentile } from './measure.ts'

// A client that sends batches of datapoints over some connections, as fast as they are answered. It is a process of its
// own, this same file. It makes bodies once and then only writes the bytes of values and times anew, because it shares the
// machine with the server that is measured.

/** How points are written in the body of a batch. */
export interface Format {
  readonly open: string
  readonly separator: string
  readonly close: string
  readonly beforeTime: string
  readonly afterTime: string
  readonly time: 'iso' | 'milliseconds'
}

/** Where batches go. */
export interface Receiver {
  readonly url: string
  /** Lines of the request, without those that depend on the body. */
  readonly head: readonly string[]
  readonly format: Format
  /** The status by which the server says that it has stored the batch. */
  readonly success: 201 | 204
}

/** POST /rest/v1/data-points/add */
export function toHoldfast(url: string, token: string): Receiver {
  const head = [
    'POST /rest/v1/data-points/add HTTP/1.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
  ]
  const around = { open: '[', separator: ',', close: ']', beforeTime: ',"timestamp":"', afterTime: '"}' }
  return { url, head, format: { ...around, time: 'iso' }, success: 201 }
}

/** InfluxDB's line protocol, with milliseconds. */
export function toInflux(url: string): Receiver {
  const around = { open: '', separator: '\n', close: '', beforeTime: ' ', afterTime: '' }
  const head = ['POST /write?db=bench&precision=ms HTTP/1.1']
  return { url, head, format: { ...around, time: 'milliseconds' }, success: 204 }
}

/** What is sent. */
export interface Sending {
  /** The text before the value of a point, for each series. */
  readonly series: readonly string[]
  readonly batch: number
  readonly connections: number
  readonly points: number
}

export interface Load extends Receiver, Sending {
  /** Milliseconds since 1970 of the first point of each series. */
  readonly from: number
  /** How much later each further point is, in milliseconds; left out: a second. */
  readonly step?: number
  /** Points to send in a second; left out: as many as are answered. */
  readonly perSecond?: number
}

export interface Loaded {
  readonly seconds: number
  readonly points: number
  /** Of a request, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Processor time of the client, in milliseconds. */
  readonly cpu: number
}

export async function send(load: Load): Promise<Loaded> {
  const child = fork(new URL(import.meta.url), { execArgv: [], serialization: 'advanced' })
  child.send(load)
  // An exit is told before the messages of the channel, and the end of the channel after them.
  const ended = once(child, 'disconnect').then(() => {
    throw new Error('the client ended before it had sent everything')
  })
  const [loaded] = (await Promise.race([once(child, 'message'), ended])) as [Loaded]
  return loaded
}

if (import.meta.main) {
  process.once('message', (load: Load) => {
    void run(load).then((loaded) => process.send?.(loaded, () => process.disconnect()))
  })
}

async function run(load: Load): Promise<Loaded> {
  const batches = makeBatches(load)
  const perRound = Math.ceil((batches.length * load.batch) / load.series.length)
  const total = Math.ceil(load.points / load.batch)
  const times: number[] = []
  let next = 0
  const begin = performance.now()
  const cpu = process.cpuUsage()
  const work = async (): Promise<void> => {
    let client = await open(load)
    for (let number = next++; number < total; number = next++) {
      const batch = batches[number % batches.length]!
      setPoints(batch, load, Math.floor(number / batches.length) * perRound)
      if (load.perSecond !== undefined) await until(begin + (number * load.batch * 1_000) / load.perSecond)
      // A server closes a connection that was quiet for some seconds.
      if (!client.isOpen()) client = await open(load)
      const start = performance.now()
      // A batch that is asked to wait comes again, and its time goes on.
      for (let wait = await client.send(batch.bytes); wait > 0; wait = await client.send(batch.bytes))
        await until(performance.now() + wait * 1_000)
      times.push(performance.now() - start)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: load.connections }, work))
  const { user, system } = process.cpuUsage(cpu)
  return {
    seconds: (performance.now() - begin) / 1_000,
    points: total * load.batch,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: (user + system) / 1_000,
  }
}

async function until(time: number): Promise<void> {
  const wait = time - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}

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

/** Each series in turn, in whole rounds where a round takes several batches; at least two batches for each connection. */
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

function timeText(milliseconds: number, time: Format['time']): string {
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

interface Client {
  isOpen(): boolean
  /** Returns after how many seconds to send the batch again; 0: it was stored. */
  send(bytes: Buffer): Promise<number>
  close(): void
}

async function open({ url, success }: Receiver): Promise<Client> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let answer = ''
  let answered: PromiseWithResolvers<number> | undefined
  socket.on('close', () => answered?.reject(new Error('the server has closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    if (!answer.includes('\r\n\r\n')) return
    if (answer.startsWith(`HTTP/1.1 ${success}`)) answered?.resolve(0)
    else if (answer.startsWith('HTTP/1.1 503'))
      answered?.resolve(Number(/^retry-after: (\d+)/im.exec(answer)?.[1] ?? 1))
    else answered?.reject(new Error(answer))
    answer = ''
  })
  return {
    isOpen: () => socket.writable,
    send: (bytes) => {
      answered = Promise.withResolvers()
      socket.write(bytes)
      return answered.promise
    },
    close: () => socket.destroy(),
  }
}
