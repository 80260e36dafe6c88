import type { SetpointState } from '../../../generated/entities.ts'
import { isSetpointState } from '../../datapoints/setpoint-state.ts'
import { nullable, textOf, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { fromLines, toLines, uuidsIn } from '../lines.ts'
import { CHANGED, noteSetpoints, isExpired, stateAt } from './setpoints.ts'

/** Changes PENDING setpoints to SENT. Setpoints in another state stay as they are. */
export async function markSent(sql: Sql, domainId: number, uuids: readonly string[], now: Date): Promise<void> {
  const sent = await sql.rows(
    CHANGED,
    `with locked as (
       select e.uuid from setpoints e
       where e.domain_id = $1 and e.uuid = any ($2::uuid[]) and e.state = 'PENDING' and not ${isExpired('$3')}
       order by e.uuid for update
     )
     update setpoints e set state = 'SENT', changed_at = $3::timestamptz
     from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
    [domainId, uuids, now.toISOString()],
  )
  await noteSetpoints(sql, domainId, sent)
}

const LOCKED = { uuid: UUID, systemUuid: UUID, unitUuid: nullable(UUID), state: textOf(isSetpointState) }

type LockedSetpoint = RowOf<typeof LOCKED>

export async function lockSetpoints(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<LockedSetpoint[]> {
  return sql.rows(
    LOCKED,
    `select e.uuid, e.system_uuid as "systemUuid", e.unit_uuid as "unitUuid", ${stateAt('$3')} as state from setpoints e
     where e.domain_id = $1 and e.uuid = any ($2::uuid[]) order by e.uuid for update`,
    [domainId, [...new Set(uuids)], now.toISOString()],
  )
}

export interface AnsweredSetpoint {
  readonly uuid: string
  readonly state: SetpointState
  readonly reason: string | null
}

/** Saves the answers to locked setpoints, and returns the number of the change. */
export async function saveAnswers(
  sql: Sql,
  domainId: number,
  answers: readonly AnsweredSetpoint[],
  now: Date,
): Promise<number> {
  if (answers.length === 0) return 0
  const changed = await sql.rows(
    CHANGED,
    `update setpoints e set state = answer.state, reason = answer.reason::jsonb #>> '{}', changed_at = $2::timestamptz
     from ${fromLines('answer', ['uuid::uuid', 'state', 'reason'], 3)}
     where e.domain_id = $1 and e.uuid = any (${uuidsIn('$3')}) and e.uuid = answer.uuid returning e.uuid`,
    [
      domainId,
      now.toISOString(),
      toLines(answers.map(({ uuid }) => uuid)),
      toLines(answers.map(({ state }) => state)),
      toLines(answers.map(({ reason }) => JSON.stringify(reason))),
    ],
  )
  return noteSetpoints(sql, domainId, changed)
}
