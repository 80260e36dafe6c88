import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { COMPONENT } from '../../records/entities.ts'
import { fetchEntities } from '../../store/entities.ts'
import { readDomain } from '../../store/domains.ts'
import { markSent } from '../../store/setpoints/answered-setpoints.ts'
import {
  fetchSetpoints,
  fetchUnacknowledged,
  type SetpointRow,
  type SetpointTarget,
} from '../../store/setpoints/setpoints.ts'
import { changeData } from '../change-domain.ts'
import type { DomainContext } from '../domain-context.ts'
import { EVERYWHERE, reaches, type Reach } from '../systems/reach.ts'
import { checkSetpoints, isProblem } from './check-setpoints.ts'
import { SETPOINT_LIMITS, toSetpoints, withValues, type Setpoint } from './setpoint.ts'
import type { PendingWatch } from './pending-watch.ts'

/** Resolves the components that a device names. If it names none, the result is its whole system. */
export async function targetOfDevice(
  { database, domain }: DomainContext,
  actor: Reach,
  components: readonly string[],
): Promise<SetpointTarget> {
  const named = [...new Set(components)]
  if (named.length > SETPOINT_LIMITS.components) throw tooMany()
  if (named.length === 0 && actor.systemUuid !== null)
    return { system: actor.systemUuid, components: null, units: null }
  if (named.length === 0)
    throw new HoldfastError('BAD_USER_INPUT', 'say which components, each as component_uuid: no system is yours alone')
  const found = await readDomain(database, domain.id, (sql) => fetchEntities(sql, domain.id, COMPONENT, named))
  const allowed = found.filter((one) => reaches(actor, one)).map(({ uuid }) => uuid)
  const missing = named.find((uuid) => !allowed.includes(uuid))
  if (missing !== undefined) throw new HoldfastError('NOT_FOUND', `there is no component ${missing}`)
  return { system: actor.systemUuid, components: named, units: actor.units }
}

function tooMany(): HoldfastError {
  const most = SETPOINT_LIMITS.components.toLocaleString('en-US')
  return new HoldfastError('LIMIT_EXCEEDED', `at most ${most} components can be asked about at once`)
}

/**
 * The setpoints that the device has not acknowledged yet and can carry out now, up to the limits. They become SENT. The
 * device gets setpoints again until it acknowledges them, because the device may have crashed or lost the answer.
 */
export async function takePending(context: DomainContext, target: SetpointTarget): Promise<readonly Setpoint[]> {
  const { database, domain, changes } = context
  const now = context.now()
  const found = await readDomain(database, domain.id, (sql) => findPossible(sql, domain.id, target, now))
  if (found.every(({ state }) => state === 'SENT')) return found
  const uuids = found.map(({ uuid }) => uuid)
  const marked = await changeData(context, async (sql) => {
    await markSent(sql, domain.id, uuids, now)
    return fetchSetpoints(sql, domain.id, uuids, now)
  })
  changes?.signal(domain.id, 'setpoints')
  const values = new Map(found.map(({ uuid, value }) => [uuid, value]))
  return marked
    .filter((one) => one.state === 'SENT' && reaches({ systemUuid: target.system, units: target.units }, one))
    .map(({ bytes: _, ...one }) => ({ ...one, value: values.get(one.uuid) ?? null }))
}

async function findPossible(sql: Sql, domainId: number, target: SetpointTarget, now: Date): Promise<Setpoint[]> {
  const first = SETPOINT_LIMITS.given
  const found: Setpoint[] = []
  let bytes = 0
  for (let offset = 0; ; offset += first) {
    const open = await fetchUnacknowledged(sql, domainId, target, { first, offset }, now)
    for (const part of partsOf(open)) {
      for (const one of await withoutImpossible(sql, domainId, part)) {
        bytes += one.bytes
        const isFull = found.length === first || bytes > SETPOINT_LIMITS.givenBytes
        if (isFull && found.length > 0) return found
        found.push(one.setpoint)
      }
    }
    if (open.length < first) return found
  }
}

/** The bytes of the values that are checked at once, unless a single one has more. */
const BYTES_OF_PART = 1_048_576

/** Consecutive parts. The values of each part are read and checked at once. */
function partsOf(rows: readonly SetpointRow[]): SetpointRow[][] {
  const parts: SetpointRow[][] = []
  let bytes = Infinity
  for (const row of rows) {
    bytes += row.bytes
    if (bytes > BYTES_OF_PART) {
      parts.push([])
      bytes = row.bytes
    }
    parts.at(-1)?.push(row)
  }
  return parts
}

interface Possible {
  readonly setpoint: Setpoint
  readonly bytes: number
}

/** Leaves out setpoints that the model forbids now, or whose parts are not ACTIVATED, until they are possible again. */
async function withoutImpossible(sql: Sql, domainId: number, rows: readonly SetpointRow[]): Promise<Possible[]> {
  const setpoints = await toSetpoints(await withValues(sql, domainId, rows))
  const given = setpoints.map(({ systemUuid, componentUuid, serviceUuid, characteristicUuid, value }) => ({
    key: { system: systemUuid, component: componentUuid, service: serviceUuid, characteristic: characteristicUuid },
    value,
  }))
  const answers = await checkSetpoints(sql, domainId, EVERYWHERE, given)
  return setpoints.flatMap((setpoint, index) => {
    const [answer, row] = [answers[index], rows[index]]
    return answer === undefined || row === undefined || isProblem(answer) ? [] : [{ setpoint, bytes: row.bytes }]
  })
}

interface Waiting {
  readonly watch: PendingWatch
  readonly ms: number
  /** Fires when the client has left. */
  readonly left: AbortSignal
  /** Throws if the client may no longer get an answer. */
  checkAgain(): Promise<void>
}

/** Waits for pending setpoints. Returns none if the wait times out. */
export async function waitForPending(
  context: DomainContext,
  target: SetpointTarget,
  { watch, ms, left, checkAgain }: Waiting,
): Promise<readonly Setpoint[]> {
  if (ms === 0) return takePending(context, target)
  const answered = new AbortController()
  const over = AbortSignal.timeout(ms)
  const end = AbortSignal.any([answered.signal, left, over])
  let leftOut: string | undefined
  try {
    for (;;) {
      // Waiting begins before the query, so that nothing is missed in between.
      const woken = watch.next(context.domain.id, target, end, leftOut)
      const found = await takePending(context, target)
      if (found.length > 0 || end.aborted || watch.isEnding) return found
      leftOut = await woken
      // Setpoints that no client receives must not become SENT.
      if (left.aborted) return []
      await checkAgain()
    }
  } finally {
    answered.abort()
  }
}
