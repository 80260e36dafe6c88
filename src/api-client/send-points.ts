import { isObject, jsonOrNull } from '../lib/json.ts'
import { ApiError } from './api-error.ts'
import type { Call, Connection } from './connection.ts'
import { fillBatch, formatOf, MOST_IN_BATCH } from './encode-points.ts'
import { wantedOf, type Finding, type KnownSupport } from './known-components.ts'
import type { SentPoint } from './model.ts'

export interface SendOptions extends Call {
  /** Stores the correct datapoints even if others of the batch are wrong. */
  readonly lenient?: boolean
}

/** A datapoint that was not stored. */
export interface RejectedPoint {
  /** The place of the point in the list that was sent. */
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
  /** If you pass this to a read, the read sees these points; null if nothing was sent. */
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

/** A datapoint with its place in the list of the caller. */
interface Placed {
  readonly point: SentPoint
  readonly index: number
  readonly support?: KnownSupport | undefined
}

interface Answer {
  readonly stored: number
  readonly errorCount: number
  /** The first hundred. */
  readonly errors: readonly unknown[]
  readonly serviceChange: string | null
}

class Sending {
  readonly #connection: Connection
  readonly #options: SendOptions
  readonly #rejected: RejectedPoint[] = []
  #sent: Omit<Sent, 'rejected'> = { stored: 0, rejectedCount: 0, serviceChange: null }
  /** The number of datapoints before the present batch. */
  #done = 0
  /** The maximum number of datapoints of a batch, which becomes smaller if the platform does not accept as many. */
  #most: number = MOST_IN_BATCH.points

  constructor(connection: Connection, options: SendOptions) {
    this.#connection = connection
    this.#options = options
  }

  get sent(): Sent {
    return { ...this.#sent, rejected: this.#rejected }
  }

  async send(points: readonly SentPoint[]): Promise<void> {
    const before = this.#done
    try {
      await this.#sendAll(points.map((point, index) => ({ point, index: before + index })))
    } catch (error) {
      if (!(error instanceof ApiError) || this.#done === 0) throw error
      const message = `${error.message}; the ${this.#done.toLocaleString('en-US')} datapoints before are stored`
      throw new ApiError(error.code, message, { ...error, cause: error.cause })
    }
  }

  async #sendAll(points: readonly Placed[], isRenewed = false): Promise<void> {
    for (let at = 0; at < points.length;) at += await this.#sendBatch(points.slice(at, at + this.#most), isRenewed)
  }

  /** Sends as many points as fit into a batch, and returns their number. */
  async #sendBatch(points: readonly Placed[], isRenewed: boolean): Promise<number> {
    const format = await formatOf(this.#connection.format)
    const all = await this.#supported(points.slice(0, this.#most))
    const { body, count } = fillBatch(format, all.values().map(elementOf), all[0]?.index ?? 0)
    const batch = all.slice(0, count)
    const answer = await this.#post(body, format.mediaType, count)
    if (!(answer instanceof ApiError)) {
      const moved = isRenewed || !answer.errors.some(isStale) ? [] : await this.#moved(batch)
      this.#add(answer, batch, moved)
      await this.#sendAll(moved, true)
      return count
    }
    // A batch may also have too many values. A limit of requests for each second is no reason to send smaller ones.
    if (answer.code === 'LIMIT_EXCEEDED' && !answer.retryable && count > 1) {
      this.#most = Math.ceil(count / 2)
      return this.#sendBatch(points, isRenewed)
    }
    if (isRenewed || !answer.details.some(isStale)) throw placed(answer, batch)
    this.#connection.known.forget(batch.map(uuidOf))
    return this.#sendBatch(points, true)
  }

  async #supported(points: readonly Placed[]): Promise<readonly Placed[]> {
    const series = points.map(({ point }) => point)
    const supports = await this.#connection.shared(() => this.#connection.known.supports(series), this.#options)
    return points.map((one, index) => ({ ...one, support: supports[index] }))
  }

  /** Looks the components of a batch up again, and returns the points that were sent with uuids of before. */
  async #moved(batch: readonly Placed[]): Promise<readonly Placed[]> {
    const { known } = this.#connection
    known.forget(batch.map(uuidOf))
    const found = await this.#connection.shared(
      () => known.find(batch.map(({ point }) => wantedOf(point))),
      this.#options,
    )
    return batch.filter(({ support }, index) => isMoved(support, found[index]))
  }

  /** Returns the refusal of a batch instead of throwing it. All attempts have one key, so the batch is stored once. */
  async #post(body: Uint8Array<ArrayBuffer>, mediaType: string, count: number): Promise<Answer | ApiError> {
    const { lenient = false } = this.#options
    const headers = {
      'content-type': mediaType,
      'idempotency-key': randomKey(),
      ...(lenient && { prefer: 'handling=lenient' }),
    }
    const posting = this.#connection.repeat(
      async (signal) => {
        const init = { method: 'POST', headers, body, signal }
        const response = await this.#connection.write('rest/v1/data-points/add', init)
        const serviceChange = response.headers.get('x-service-change')
        if (response.status !== 207) return { stored: count, errorCount: 0, errors: [], serviceChange }
        const answer: unknown = jsonOrNull(await response.text())
        if (!isObject(answer)) throw this.#connection.refusal(response, null)
        const { stored, errorCount, errors } = answer
        return {
          stored: Number(stored),
          errorCount: Number(errorCount),
          errors: Array.isArray(errors) ? (errors as readonly unknown[]) : [],
          serviceChange,
        }
      },
      { ...this.#options, bytes: body.length },
    )
    return posting.catch((error: unknown) => (error instanceof ApiError ? error : Promise.reject(error)))
  }

  #add(
    { stored, errorCount, errors, serviceChange }: Answer,
    batch: readonly Placed[],
    moved: readonly Placed[],
  ): void {
    const again = new Set(moved.map(({ index }) => index))
    const rejected = errors.map((error) => rejectedOf(error, batch)).filter((one) => one !== null)
    this.#rejected.push(...rejected.filter(({ index }) => !again.has(index)))
    this.#sent = {
      stored: this.#sent.stored + stored,
      rejectedCount: this.#sent.rejectedCount + errorCount - moved.length,
      serviceChange: serviceChange ?? this.#sent.serviceChange,
    }
    this.#done += batch.length - moved.length
  }
}

/** Describes an error of a batch; null if it is not about one of its points. */
function rejectedOf(error: unknown, batch: readonly Placed[]): RejectedPoint | null {
  if (!isObject(error) || typeof error['pointer'] !== 'string') return null
  const [, place, ...rest] = error['pointer'].split('/')
  const index = place ? batch[Number(place)]?.index : undefined
  if (index === undefined) return null
  const { code, detail, retryable } = error
  const pointer = ['', index, ...rest].join('/')
  return { index, pointer, code: String(code), detail: String(detail), retryable: retryable === true }
}

/** Returns the failure of a batch with places in the list of the caller. */
function placed(error: ApiError, batch: readonly Placed[]): ApiError {
  const details = error.details.map((detail) => rejectedOf(detail, batch) ?? detail)
  return new ApiError(error.code, error.message, { ...error, details, cause: error.cause })
}

const uuidOf = ({ point: { component } }: Placed): string => component.toLowerCase()

function uuidsOf({ component, serviceUuid, characteristicUuid }: KnownSupport) {
  return {
    system_uuid: component.systemUuid,
    component_uuid: component.uuid,
    service_uuid: serviceUuid,
    characteristic_uuid: characteristicUuid,
  }
}

function elementOf({ point: { value, timestamp }, support }: Placed): object {
  const time = timestamp instanceof Date ? timestamp.getTime() : timestamp
  return { ...(support && uuidsOf(support)), value, timestamp: time }
}

function isMoved(sent: KnownSupport | undefined, { component, support }: Finding = {}): boolean {
  if (sent === undefined || component === undefined || support === undefined) return false
  return Object.values(uuidsOf(sent)).join() !== Object.values(uuidsOf({ ...support, component })).join()
}

const isStale = (detail: unknown): boolean => isObject(detail) && STALE.has(String(detail['code']))

/** `crypto.randomUUID` exists only on pages with TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
