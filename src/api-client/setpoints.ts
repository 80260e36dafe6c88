import { isObject, type Json } from '../lib/json.ts'
import type { Call, Connection } from './connection.ts'
import { pathOf } from './known-components.ts'

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
  /** Null if the component does not support it any more. */
  readonly path: P | null
  readonly value: Value
  readonly createdAt: string
  readonly expiresAt: string | null
}

export interface TakeOptions extends Call {
  /** The components that are asked about; left out by the account of a device: all of its system. */
  readonly components?: readonly string[]
}

/** The platform answers after this time, even if there is no setpoint. */
const WAIT_SECONDS = 25
const MARGIN_MS = 30_000
/** The pause before setpoints that were not answered are taken again. */
const AGAIN_MS = 5_000

/** Takes setpoints as they come, until the signal is aborted. A setpoint comes again until it is answered. */
export async function* takeSetpoints(
  connection: Connection,
  options: TakeOptions,
): AsyncGenerator<PendingSetpoint, never> {
  const signal = connection.signalOf(options)
  const forever = { ...options, totalMs: options.totalMs ?? Infinity }
  let seen = new Set<string>()
  for (;;) {
    const pending = await fetchPending(connection, forever, WAIT_SECONDS)
    const isNew = pending.some(({ uuid }) => !seen.has(uuid))
    if (pending.length > 0 && !isNew) await connection.clock.wait(AGAIN_MS, signal)
    seen = new Set(pending.map(({ uuid }) => uuid))
    yield* pending
    signal.throwIfAborted()
  }
}

/** Fetches the pending setpoints, and waits for the first one for some seconds. */
export async function fetchPending(
  connection: Connection,
  options: TakeOptions,
  waitSeconds = 0,
): Promise<readonly PendingSetpoint[]> {
  const query = new URLSearchParams({ wait: String(waitSeconds) })
  for (const uuid of options.components ?? []) query.append('component_uuid', uuid)
  const call = { ...options, timeoutMs: waitSeconds * 1_000 + MARGIN_MS }
  const body: unknown = await connection.repeat(async (signal) => {
    const response = await connection.ask(`rest/v1/set-points/pending?${query.toString()}`, { signal })
    return response.json()
  }, call)
  const elements = Array.isArray(body) ? body.filter(isObject) : []
  return connection.shared(Promise.all(elements.map((element) => pendingOf(element, connection))), options)
}

async function pendingOf(
  element: { readonly [field: string]: unknown },
  { known }: Connection,
): Promise<PendingSetpoint> {
  const component = String(element['component_uuid'])
  const { service_uuid: service, characteristic_uuid: characteristic } = element
  const found = await known.find(
    component,
    ({ serviceUuid, characteristicUuid }) => serviceUuid === service && characteristicUuid === characteristic,
  )
  return {
    uuid: String(element['uuid']),
    component,
    path: found === null ? null : pathOf(found),
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
  await connection.repeat((signal) => connection.ask('rest/v1/set-points/acknowledge', { ...init, signal }), call)
}
