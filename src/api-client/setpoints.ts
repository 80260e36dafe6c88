import { isJsonList, isJsonObject, jsonOrNull, type Json } from '../lib/json.ts'
import { ApiError } from './api-error.ts'
import type { Call, Connection } from './connection.ts'
import { pathOf, type KnownComponent, type Support } from './known-components.ts'

/** The answers of a device. REJECTED and APPLIED are final. */
export type AnswerState = 'ACKNOWLEDGED' | 'APPLIED' | 'REJECTED'

export interface SetpointAnswer {
  readonly uuid: string
  readonly state: AnswerState
  readonly reason?: string | undefined
}

/** A setpoint that a device has to answer. */
export interface PendingSetpoint<P extends string = string, Value = Json> {
  readonly uuid: string
  readonly component: string
  /** Null if the component does not support it any more, or is not there for this account. */
  readonly path: P | null
  readonly value: Value
  readonly createdAt: string
  readonly expiresAt: string | null
}

export interface TakeOptions extends Call {
  /** Up to 200 components that are asked about; left out by the account of a device: all of its system. */
  readonly components?: readonly string[]
}

/** The platform answers after this time, even if there is no setpoint. */
const WAIT_SECONDS = 25
const MARGIN_MS = 30_000
/** The pause before setpoints that were not answered are taken again. */
const AGAIN_MS = 5_000
/** The uuids of these components are in the address of a request, which servers limit to 16 KB. */
const MOST_COMPONENTS = 200

/** Takes setpoints as they come, until the signal is aborted. A setpoint comes again until it is answered. */
export async function* takeSetpoints(
  connection: Connection,
  options: TakeOptions,
): AsyncGenerator<PendingSetpoint, never> {
  const signal = connection.signalOf(options)
  const { now, elapsed = now, wait } = connection.clock
  const forever = { ...options, totalMs: options.totalMs ?? Infinity }
  let seen = new Set<string>()
  for (;;) {
    const began = elapsed()
    const pending = await fetchPending(connection, forever, WAIT_SECONDS)
    const isNew = pending.some(({ uuid }) => !seen.has(uuid))
    // A proxy, or a server that stops, may answer at once.
    const hasWaited = pending.length === 0 && elapsed() - began >= AGAIN_MS
    if (!isNew && !hasWaited) await wait(AGAIN_MS, signal)
    seen = new Set(pending.map(({ uuid }) => uuid))
    yield* pending
    signal.throwIfAborted()
  }
}

function tooMany(count: number): ApiError {
  const message = `${count} components are given, but one request takes at most ${MOST_COMPONENTS}; ask several times`
  return new ApiError('LIMIT_EXCEEDED', message)
}

/** Fetches the pending setpoints, and waits for the first one for some seconds. */
export async function fetchPending(
  connection: Connection,
  options: TakeOptions,
  waitSeconds = 0,
): Promise<readonly PendingSetpoint[]> {
  const { components = [] } = options
  if (components.length > MOST_COMPONENTS) throw tooMany(components.length)
  const query = new URLSearchParams({ wait: String(waitSeconds) })
  for (const uuid of components) query.append('component_uuid', uuid)
  const call = { ...options, timeoutMs: waitSeconds * 1_000 + MARGIN_MS }
  const elements = await connection.repeat(async (signal) => {
    const response = await connection.ask(`rest/v1/set-points/pending?${query.toString()}`, { signal })
    const body = jsonOrNull(await response.text())
    if (!isJsonList(body)) throw connection.refusal(response, body)
    return body.filter(isJsonObject)
  }, call)
  const found = await connection.shared(() => connection.known.find(elements.map(wantedOf)), options)
  return elements.map((element, index) => pendingOf(element, found[index]?.support))
}

type Element = { readonly [field: string]: unknown }

function wantedOf({ component_uuid: component, service_uuid: service, characteristic_uuid: characteristic }: Element) {
  const isMeant = (one: Support): boolean => one.serviceUuid === service && one.characteristicUuid === characteristic
  return { component: String(component), choose: ({ supports }: KnownComponent) => supports.values().find(isMeant) }
}

function pendingOf(element: Element, support: Support | undefined): PendingSetpoint {
  return {
    uuid: String(element['uuid']),
    component: String(element['component_uuid']),
    path: support === undefined ? null : pathOf(support),
    value: element['value'] as Json,
    createdAt: String(element['created_at']),
    expiresAt: typeof element['expires_at'] === 'string' ? element['expires_at'] : null,
  }
}

/** Answers setpoints. An answer may be repeated. */
export async function answerSetpoints(
  connection: Connection,
  answers: readonly SetpointAnswer[],
  call: Call,
): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(answers) }
  await connection.repeat((signal) => connection.write('rest/v1/set-points/acknowledge', { ...init, signal }), call)
}
