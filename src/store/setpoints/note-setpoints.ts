import { UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { noteChanges } from '../outbox.ts'

// All statements that change setpoints lock them in the order of their uuids, so that no two transactions wait for each
// other. A transaction that makes new ones locks the components first: two at once would not see each other's
// setpoints.

export const CHANGED = { uuid: UUID }

/** Tells subscriptions, and gives the number of the note. */
export function noteSetpoints(sql: Sql, domainId: number, changed: readonly RowOf<typeof CHANGED>[]): Promise<number> {
  return noteChanges(
    sql,
    domainId,
    'setpoints',
    changed.map(({ uuid }) => uuid),
  )
}
