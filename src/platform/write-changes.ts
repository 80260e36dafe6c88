import type { Sql } from '../db/sql.ts'
import { HoldfastError } from '../lib/errors.ts'
import { idOf } from '../plan/live-state.ts'
import type { Change } from '../plan/plan.ts'
import type { RecordKey } from '../records/record-type.ts'
import { referencesOf } from '../records/references.ts'
import { recordType } from '../records/registry.ts'
import { deleteRecords, insertRecords, updateRecords, type ChangedRecord } from '../store/records.ts'
import { deleteReferencesFrom, insertReferences, type StoredReference } from '../store/references.ts'
import { saveSecrets, type NewSecret } from '../store/secrets.ts'
import type { DomainContext } from './domain-context.ts'

/** What the changes need beside their bodies. */
export interface ChangeMaterial {
  /** Of the records to create, by `type/key`. */
  readonly uuids: ReadonlyMap<string, string>
  readonly secrets: readonly NewSecret[]
}

/**
 * Makes exactly these changes, in a number of statements that does not depend on how many there are. Runs inside the
 * transaction that checked them.
 */
export async function writeChanges(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  { uuids, secrets }: ChangeMaterial,
): Promise<void> {
  const { id } = context.domain
  const now = context.now()
  const removed = changes.filter(({ action }) => action === 'delete')
  const changed = changes.flatMap((change) => toChangedRecord(change))
  const created = changes.flatMap((change) => toNewRecord(change, uuids))
  await deleteReferencesFrom(
    sql,
    id,
    changed.map(({ type, from }) => ({ type, key: from })),
  )
  await deleteRecords(sql, id, removed)
  await updateRecords(sql, id, changed, now)
  await insertRecords(sql, id, created, now)
  await writeReferences(sql, id, [...changed, ...created])
  await saveSecrets(sql, id, secrets)
}

function toChangedRecord({ type, key, from, action, after, afterDigest }: Change): ChangedRecord[] {
  if ((action !== 'update' && action !== 'move') || after === null || afterDigest === null) return []
  return [{ type, key, from: from ?? key, body: after, digest: afterDigest }]
}

function toNewRecord({ type, key, action, after, afterDigest }: Change, uuids: ReadonlyMap<string, string>) {
  const uuid = uuids.get(idOf({ type, key }))
  if (action !== 'create' || after === null || afterDigest === null || uuid === undefined) return []
  return [{ type, key, uuid, body: after, digest: afterDigest }]
}

async function writeReferences(
  sql: Sql,
  domainId: number,
  records: readonly (RecordKey & { body: ChangedRecord['body'] })[],
): Promise<void> {
  const references: StoredReference[] = records.flatMap(({ type, key, body }) =>
    referencesOf(recordType(type), key, body).map((to) => ({
      from: { type, key },
      to: { type: to.type, key: to.key },
      owner: to.owner,
    })),
  )
  const written = await insertReferences(sql, domainId, references)
  // The plan has checked every reference under the same lock, so this says that the check and the write disagree.
  if (written !== references.length) {
    throw new HoldfastError('INTERNAL', `${references.length - written} references lead to records that do not exist`)
  }
}
