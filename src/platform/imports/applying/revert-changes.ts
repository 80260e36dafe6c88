import type { Sql } from '../../../db/sql.ts'
import { changedFields, revertedBody } from '../../../plan/compare/reverted-body.ts'
import { recordId } from '../../../records/record-id.ts'
import type { RecordBody, RecordKey } from '../../../records/record-type.ts'
import type { ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import { fetchKeysByUuid, fetchRecords, type StoredRecord } from '../../../store/model/records.ts'

/** What the rollback of one change asks of the record that it changed. */
export interface Reverted {
  readonly change: ApplyChangeRow
  /** The record as it is now; null if it is gone. */
  readonly live: StoredRecord | null
  /** The record as it should be; null if it should not exist. */
  readonly wanted: { readonly key: string; readonly body: RecordBody } | null
  /** The fields that somebody changed again after the apply, and that the rollback would overwrite. */
  readonly overwritten: readonly string[]
}

/**
 * Reverts the changes of an apply, field by field. A record that the apply changed and that is gone by now is not made
 * again.
 */
export async function revertChanges(
  sql: Sql,
  domainId: number,
  changes: readonly ApplyChangeRow[],
): Promise<readonly Reverted[]> {
  const live = await liveRecords(sql, domainId, changes)
  return changes.map((change) => revert(change, live(change)))
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

/**
 * Finds records as they are now, by their uuid. A record that was deleted and made again has another uuid: it is found
 * by its key, unless the apply created the first one.
 */
async function liveRecords(
  sql: Sql,
  domainId: number,
  changes: readonly ApplyChangeRow[],
): Promise<(change: ApplyChangeRow) => StoredRecord | null> {
  const keys = await fetchKeysByUuid(
    sql,
    domainId,
    changes.map(({ uuid }) => uuid),
  )
  const named = ({ type, key, uuid, before }: ApplyChangeRow): RecordKey[] => {
    const found = keys.get(uuid) ?? (before === null ? undefined : key)
    return found === undefined ? [] : [{ type, key: found }]
  }
  const records = await fetchRecords(sql, domainId, changes.flatMap(named))
  const byId = new Map(records.map((record) => [recordId(record), record]))
  return (change) => named(change).flatMap((key) => byId.get(recordId(key)) ?? [])[0] ?? null
}
