import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../db/sql.ts'
import { present } from '../../lib/present.ts'
import {
  findSentBefore,
  insertSetpoints,
  lockComponents,
  supersedeSetpoints,
} from '../../store/setpoints/new-setpoints.ts'
import type { NewSetpoint } from '../../store/setpoints/new-setpoints.ts'
import type { SetpointSeries } from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import type { CheckedSetpoint } from './check-setpoints.ts'

export interface WantedSetpoint extends CheckedSetpoint {
  /**
   * The time that the sender gives, in microseconds since 1970. If the sender sends it again, no second setpoint is
   * made. Null for now.
   */
  readonly setAt: number | null
}

interface MadeSetpoints {
  /** The uuids in the order of the wanted setpoints, without those that were made before. */
  readonly uuids: readonly string[]
  /** The number of this change; 0 if nothing was made. */
  readonly change: number
  readonly now: Date
}

/**
 * Makes setpoints that were checked in the same transaction. If there are several for one series, the last one counts.
 */
export async function makeSetpoints(
  sql: Sql,
  context: DomainContext,
  wanted: readonly WantedSetpoint[],
  expiresAt: Date | null,
): Promise<MadeSetpoints> {
  const domainId = context.domain.id
  await lockComponents(
    sql,
    domainId,
    wanted.map(({ componentUuid }) => componentUuid),
  )
  // The time is read under the lock. So the newer of two setpoints of one series has the later time.
  const now = context.now()
  const known = await findSentBefore(sql, domainId, timed(wanted))
  const fresh = wanted.filter((_, index) => !known.has(index))
  if (fresh.length === 0) return { uuids: [], change: 0, now }
  const lastOf = new Map(fresh.map((one, index) => [textOf(one), index]))
  const made = fresh.map((one, index): NewSetpoint => ({
    ...one,
    uuid: context.newId(),
    state: lastOf.get(textOf(one)) === index ? 'PENDING' : 'SUPERSEDED',
    setAt: one.setAt ?? microsecondsOf(now),
  }))
  await supersedeSetpoints(
    sql,
    domainId,
    [...lastOf.values()].map((index) => present(fresh[index])),
    now,
  )
  const change = await insertSetpoints(sql, domainId, made, { actor: context.actorName, now, expiresAt })
  return { uuids: made.map(({ uuid }) => uuid), change, now }
}

function timed(wanted: readonly WantedSetpoint[]) {
  return wanted.flatMap(({ setAt, ...one }, place) => (setAt === null ? [] : [{ ...one, setAt, place }]))
}

function textOf({ componentUuid, serviceUuid, characteristicUuid }: SetpointSeries): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid}`
}
