import { isObject } from '../lib/json.ts'
import { ApiError } from './api-error.ts'
import type { Call, Connection } from './connection.ts'
import { fillBatch, formatOf, MOST_IN_BATCH } from './encode-points.ts'
import type { KnownComponent } from './known-components.ts'
import type { SentPoint } from './model.ts'

export interface SendOptions extends Call {
  /** Stores the correct datapoints even if others of the batch are wrong. */
  readonly lenient?: boolean
}

/** A datapoint that was not stored. */
export interface RejectedPoint {
  /** Its place in the list that was sent. */
  readonly index: number
  /** For example `/17/value`. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly retryable: boolean
}

/** The result of sending datapoints. */
export interface Sent {
  readonly stored: number
  readonly rejectedCount: number
  /** The first hundred of each batch. */
  readonly rejected: readonly RejectedPoint[]
  /** Passed to a read, it makes sure that the read sees these points; null if nothing was sent. */
  readonly serviceChange: string | null
}

/** The codes that may mean that the uuids of a component changed. */
const STALE = new Set(['unknown-service', 'unknown-characteristic', 'unknown-system', 'not-supported'])

type Points = Iterable<SentPoint> | AsyncIterable<SentPoint>

/** Sends datapoints in as few batches as possible, one after the other. */
export async function sendPoints(connection: Connection, points: Points, options: SendOptions): Promise<Sent> {
  const sending = new Sending(connection, options)
  let waiting: SentPoint[] = []
  for await (const point of points) {
    waiting.push(point)
    if (waiting.length < MOST_IN_BATCH.points) continue
    await sending.send(waiting)
    waiting = []
  }
  await sending.send(waiting)
  return sending.sent
}

class Sending {
  readonly #connection: Connection
  readonly #options: SendOptions
  readonly #rejected: RejectedPoint[] = []
  #sent: Omit<Sent, 'rejected'> = { stored: 0, rejectedCount: 0, serviceChange: null }
  /** The number of datapoints before the present batch. */
  #done = 0

  constructor(connection: Connection, options: SendOptions) {
    this.#connection = connection
    this.#options = options
  }

  get sent(): Sent {
    return { ...this.#sent, rejected: this.#rejected }
  }

  async send(points: readonly SentPoint[]): Promise<void> {
    try {
      for (let at = 0; at < points.length;) at += await this.#sendBatch(points.slice(at))
    } catch (error) {
      throw this.#placed(error)
    }
  }

  /** Sends as many points as fit into a batch, and returns their number. */
  async #sendBatch(points: readonly SentPoint[], isRenewed = false): Promise<number> {
    if (points.length === 0) return 0
    const format = await formatOf(this.#connection.format)
    const elements = await this.#connection.shared(this.#elementsOf(points), this.#options)
    const { body, count } = fillBatch(format, elements, this.#done)
    try {
      await this.#post(body, format.mediaType, points.slice(0, count))
      return count
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A batch may also have too many values.
      if (error.code === 'LIMIT_EXCEEDED' && count > 1) return this.#sendBatch(points.slice(0, Math.ceil(count / 2)))
      if (isRenewed || !error.details.some(isStale)) throw error
      this.#connection.known.forget(points.map(uuidOf))
      return this.#sendBatch(points.slice(0, count), true)
    }
  }

  async #elementsOf(points: readonly SentPoint[]): Promise<Iterable<object>> {
    const uuids = [...new Set(points.map(uuidOf))]
    const { known } = this.#connection
    const found = await known.all(uuids)
    const components = new Map(found.map((one) => [one.uuid, one]))
    for (const point of points) {
      const uuid = uuidOf(point)
      if (components.get(uuid)?.supports.has(point.path) === true) continue
      components.set(uuid, (await known.one(uuid, point.path)).component)
    }
    return points.values().map((point) => elementOf(point, components.get(uuidOf(point))))
  }

  /** All attempts have the same key, so the platform stores the batch once. */
  async #post(body: Uint8Array<ArrayBuffer>, mediaType: string, points: readonly SentPoint[]): Promise<void> {
    const { lenient = false } = this.#options
    const headers = {
      'content-type': mediaType,
      'idempotency-key': randomKey(),
      ...(lenient && { prefer: 'handling=lenient' }),
    }
    const [response, answer] = await this.#connection.repeat(async (signal) => {
      const init = { method: 'POST', headers, body, signal }
      const response = await this.#connection.ask('rest/v1/data-points/add', init)
      return [response, response.status === 207 ? await response.json() : {}] as const
    }, this.#options)
    this.#add(answer, points, response.headers.get('x-service-change'))
  }

  #add(answer: unknown, points: readonly SentPoint[], serviceChange: string | null): void {
    const { stored = points.length, errorCount = 0, errors } = isObject(answer) ? answer : {}
    const rejected = (Array.isArray(errors) ? errors : []).flatMap((one) => this.#rejectedOf(one))
    if (rejected.some(({ code }) => STALE.has(code))) this.#connection.known.forget(points.map(uuidOf))
    this.#rejected.push(...rejected)
    this.#sent = {
      stored: this.#sent.stored + Number(stored),
      rejectedCount: this.#sent.rejectedCount + Number(errorCount),
      serviceChange: serviceChange ?? this.#sent.serviceChange,
    }
    this.#done += points.length
  }

  #rejectedOf(error: unknown): RejectedPoint[] {
    if (!isObject(error)) return []
    const [, place = '', ...rest] = String(error['pointer']).split('/')
    const index = this.#done + Number(place)
    const { code, detail, retryable } = error
    const pointer = ['', index, ...rest].join('/')
    return [{ index, pointer, code: String(code), detail: String(detail), retryable: retryable === true }]
  }

  /** Returns the failure of a batch with places in the list of the caller. */
  #placed(error: unknown): unknown {
    if (!(error instanceof ApiError)) return error
    const details = error.details.map((detail) => this.#rejectedOf(detail)[0] ?? detail)
    const before = this.#done === 0 ? '' : `; the ${this.#done.toLocaleString('en-US')} datapoints before are stored`
    return new ApiError(error.code, `${error.message}${before}`, { ...error, details, cause: error.cause })
  }
}

const uuidOf = ({ component }: SentPoint): string => component.toLowerCase()

function elementOf({ path, value, timestamp }: SentPoint, component: KnownComponent | undefined): object {
  const support = component?.supports.get(path)
  return {
    system_uuid: component?.systemUuid,
    component_uuid: component?.uuid,
    service_uuid: support?.serviceUuid,
    characteristic_uuid: support?.characteristicUuid,
    value,
    timestamp: timestamp instanceof Date ? timestamp.getTime() : timestamp,
  }
}

const isStale = (detail: unknown): boolean => isObject(detail) && STALE.has(String(detail['code']))

/** `crypto.randomUUID` exists only on pages with TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
