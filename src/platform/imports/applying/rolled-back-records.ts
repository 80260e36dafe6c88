import type { Sql } from '../../../db/sql.ts'
import { changedFields, revertedBody } from '../../../plan/compare/revert-fields.ts'
import { recordId } from '../../../records/record-id.ts'
import type { RecordBody, RecordKey } from '../../../records/record-type.ts'
import type { ApplyRow } from '../../../store/model/applies.ts'
import type { ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import { fetchKeysByUuid, fetchRecords, type StoredRecord } from '../../../store/model/records.ts'

/** The effect of the rollback of one change on its record. */
export interface Reverted {
  readonly change: ApplyChangeRow
  /** The record in its present state; null if it no longer exists. */
  readonly live: StoredRecord | null
  /** The record after the rollback; null if it should not exist. */
  readonly wanted: { readonly key: string; readonly body: RecordBody } | null
  /** The fields that were changed again after the apply, and that the rollback would overwrite. */
  readonly overwritten: readonly string[]
  /** The record's earlier key, if another record has it now. Then no field of the record is reverted. */
  readonly taken?: string
}

/** Reverts the changes of an apply, field by field. A changed record that no longer exists stays away. */
export async function revertChanges(
  sql: Sql,
  domainId: number,
  { at }: Pick<ApplyRow, 'at'>,
  changes: readonly ApplyChangeRow[],
): Promise<readonly Reverted[]> {
  const { live, holder } = await liveRecords(sql, domainId, at, changes)
  const reverted = changes.map((change) => revert(change, live(change)))
  const leaving = new Set(reverted.flatMap((one) => (isMovedBack(one) ? [one.live?.uuid] : [])))
  return reverted.map((one): Reverted => {
    const { change, wanted } = one
    const held = wanted === null ? undefined : holder({ type: change.type, key: wanted.key })
    const isFree = held === undefined || held.uuid === one.live?.uuid || leaving.has(held.uuid)
    return isFree || wanted === null ? one : { ...one, wanted: null, overwritten: [], taken: wanted.key }
  })
}

function revert(change: ApplyChangeRow, live: StoredRecord | null): Reverted {
  const { key, from, before, after } = change
  if (before === null) {
    const overwritten = live === null ? [] : changedFields(after, live.body)
    return { change, live, wanted: null, overwritten }
  }
  if (after === null) {
    const overwritten = live === null ? [] : changedFields(before, live.body)
    return { change, live, wanted: { key, body: before }, overwritten }
  }
  if (live === null) return { change, live, wanted: null, overwritten: [] }
  const { body, overwritten } = revertedBody({ before, after, now: live.body })
  return { change, live, wanted: { key: from ?? live.key, body }, overwritten }
}

/** Tells whether the rollback restores the record's key from before the apply. */
export function isMovedBack({ live, wanted }: Reverted): boolean {
  return live !== null && wanted !== null && live.key !== wanted.key
}

interface LiveRecords {
  /** The record of a change in its present state; null if it no longer exists. */
  readonly live: (change: ApplyChangeRow) => StoredRecord | null
  /** The record that has a key now. */
  readonly holder: (key: RecordKey) => StoredRecord | undefined
}

/**
 * Finds records in their present state, by their uuid. A record that was deleted and created again has another uuid. It
 * is found by its key, unless the apply created the first one. A record that is older than the apply is another one.
 */
async function liveRecords(
  sql: Sql,
  domainId: number,
  at: Date,
  changes: readonly ApplyChangeRow[],
): Promise<LiveRecords> {
  const keys = await fetchKeysByUuid(
    sql,
    domainId,
    changes.map(({ uuid }) => uuid),
  )
  const asked = changes.flatMap(({ type, key, from, uuid }) =>
    [key, from, keys.get(uuid)].flatMap((one): RecordKey[] => (one == null ? [] : [{ type, key: one }])),
  )
  const records = await fetchRecords(sql, domainId, asked)
  const byId = new Map(records.map((record) => [recordId(record), record]))
  const holder = (key: RecordKey) => byId.get(recordId(key))
  const live = ({ type, key, uuid, before }: ApplyChangeRow): StoredRecord | null => {
    const own = keys.get(uuid)
    const found = holder({ type, key: own ?? key })
    const isOwn = own !== undefined || (before !== null && found !== undefined && found.createdAt > at)
    return isOwn ? (found ?? null) : null
  }
  return { live, holder }
}
