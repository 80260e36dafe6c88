import { fork } from 'node:child_process'
import { once } from 'node:events'

// The process that sends: bench/datapoints-load.ts.

/** How points are written in the body of a batch, and how the server says that it has them. */
export interface Format {
  readonly open: string
  readonly separator: string
  readonly close: string
  readonly beforeTime: string
  readonly afterTime: string
  readonly time: 'iso' | 'milliseconds'
}

export interface Load {
  readonly url: string
  /** Lines of the request, without those that depend on the body. */
  readonly head: readonly string[]
  readonly format: Format
  readonly success: 201 | 204
  /** What stands before the value, for each series. */
  readonly series: readonly string[]
  readonly batch: number
  readonly connections: number
  readonly points: number
  /** Milliseconds since 1970 of the first point of each series. */
  readonly from: number
  /** How much later each further one is, in milliseconds; left out: a second. */
  readonly step?: number
  /** How many points are sent in a second; left out: as many as are answered. */
  readonly perSecond?: number
}

export interface Loaded {
  readonly seconds: number
  readonly points: number
  /** Of the requests, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of each request, the shortest first. */
  readonly times: Float64Array
  /** Processor time of the client, in milliseconds. */
  readonly cpu: number
}

export async function send(load: Load): Promise<Loaded> {
  const child = fork(new URL('./datapoints-load.ts', import.meta.url), { execArgv: [], serialization: 'advanced' })
  child.send(load)
  // It is told of an exit before what came over the channel, and of the channel's end behind it.
  const ended = once(child, 'disconnect').then(() => {
    throw new Error('the client has ended before it had sent everything')
  })
  const [loaded] = (await Promise.race([once(child, 'message'), ended])) as [Loaded]
  return loaded
}

const JSON_FORMAT: Format = {
  open: '[',
  separator: ',',
  close: ']',
  beforeTime: ',"timestamp":"',
  afterTime: '"}',
  time: 'iso',
}

/** POST /rest/v1/data-points/add */
export function toHoldfast(url: string, token: string): Pick<Load, 'url' | 'head' | 'format' | 'success'> {
  const head = [
    'POST /rest/v1/data-points/add HTTP/1.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
  ]
  return { url, head, format: JSON_FORMAT, success: 201 }
}

/** Line protocol, with milliseconds. */
export function toInflux(url: string): Pick<Load, 'url' | 'head' | 'format' | 'success'> {
  const format = { open: '', separator: '\n', close: '', beforeTime: ' ', afterTime: '', time: 'milliseconds' } as const
  return { url, head: ['POST /write?db=bench&precision=ms HTTP/1.1'], format, success: 204 }
}
