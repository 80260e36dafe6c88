import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../db/sql.ts'
import { present } from '../../lib/present.ts'
import {
  findSentBefore,
  insertSetpoints,
  lockComponents,
  supersedeSetpoints,
} from '../../store/setpoints/setpoint-changes.ts'
import type { NewSetpoint } from '../../store/setpoints/setpoint-changes.ts'
import type { SetpointSeries } from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import type { CheckedSetpoint } from './check-setpoints.ts'

export interface WantedSetpoint extends CheckedSetpoint {
  /** As whoever set it says, in microseconds since 1970: sent again with it, it is the same setpoint. Null: now. */
  readonly setAt: number | null
}

export interface MadeSetpoints {
  /** In the order in which they were wanted, without those that were made before. */
  readonly uuids: readonly string[]
  /** The highest of their numbers; 0 where nothing was made. */
  readonly change: number
  readonly now: Date
}

/** Makes setpoints that were checked in the same transaction. Of several for one series the last one counts. */
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
  // Taken under the lock: of two of one series, the newer one has the later time.
  const now = context.now()
  const known = await findSentBefore(sql, domainId, timed(wanted))
  const fresh = wanted.filter((_, place) => !known.has(place))
  if (fresh.length === 0) return { uuids: [], change: 0, now }
  const lastOf = new Map(fresh.map((one, place) => [textOf(one), place]))
  const made = fresh.map((one, place): NewSetpoint => ({
    ...one,
    uuid: context.newId(),
    state: lastOf.get(textOf(one)) === place ? 'PENDING' : 'SUPERSEDED',
    setAt: one.setAt ?? microsecondsOf(now),
  }))
  await supersedeSetpoints(
    sql,
    domainId,
    [...lastOf.values()].map((place) => present(fresh[place])),
    now,
  )
  const change = await insertSetpoints(sql, domainId, made, { actor: context.actor, now, expiresAt })
  return { uuids: made.map(({ uuid }) => uuid), change, now }
}

function timed(wanted: readonly WantedSetpoint[]) {
  return wanted.flatMap(({ setAt, ...one }, place) => (setAt === null ? [] : [{ ...one, setAt, place }]))
}

function textOf({ componentUuid, serviceUuid, characteristicUuid }: SetpointSeries): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid}`
}
