import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Change } from '../../plan/plan.ts'
import { referredRecords } from '../../records/references.ts'
import { ACCESS, type RecordType, type MetadataRule } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { deleteDataBehind } from '../../store/model/data-behind.ts'
import { raiseAccessVersion, raiseModelVersion } from '../../store/domains.ts'
import {
  deleteRecords,
  insertRecords,
  updateRecords,
  type ChangedRecord,
  type IdentifiedRecord,
  type NewRecord,
} from '../../store/model/records.ts'
import { deleteReferencesFrom, insertReferences, type StoredReference } from '../../store/model/references.ts'
import { saveSecrets, type NewSecret } from '../../store/model/secrets.ts'
import type { DomainContext } from '../domain-context.ts'
import { isHeldByData, noteChangedRules } from '../../store/model/metadata-values.ts'

/** What the changes need beside their bodies. */
export interface ChangeMaterial {
  /** Of the records to create. */
  readonly uuids: ReadonlyMap<Change, string>
  readonly secrets: readonly NewSecret[]
  /** The moment that all of them are made at. */
  readonly at: Date
}

/**
 * Makes exactly these changes, in a number of statements that does not depend on how many there are. Runs inside the
 * transaction that checked them.
 */
export async function writeChanges(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  material: ChangeMaterial,
): Promise<void> {
  await writeExisting(sql, context, changes, material)
  await writeNew(sql, context, changes, material)
}

/** The first half: deletes, updates and moves. Gives the records that there were, by the keys that they had. */
export async function writeExisting(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  { at }: ChangeMaterial,
): Promise<readonly IdentifiedRecord[]> {
  const { id } = context.domain
  if (changes.length > 0) await raiseModelVersion(sql, id)
  const changed = changes.flatMap(toChangedRecord)
  await deleteReferencesFrom(
    sql,
    id,
    changed.map(({ type, from }) => ({ type, key: from })),
  )
  const going = changes.filter(({ action }) => action === 'delete')
  await deleteDataBehind(sql, id, going)
  await changeMetadataRules(sql, id, changes)
  const deleted = await deleteRecords(sql, id, going)
  return [...deleted, ...(await updateRecords(sql, id, changed, at))]
}

/** The second half: new records, and what any record refers to now. */
export async function writeNew(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  { uuids, secrets, at }: ChangeMaterial,
): Promise<void> {
  const { id } = context.domain
  await insertRecords(
    sql,
    id,
    changes.flatMap((change) => toNewRecord(change, uuids)),
    at,
  )
  await writeReferences(sql, id, changes)
  await saveSecrets(sql, id, secrets)
}

/** To be called last in the transaction: see `raiseAccessVersion`. A record that is created can take the place of one of the platform. */
export async function endAccessOf(sql: Sql, domainId: number, changes: readonly Change[]): Promise<void> {
  const touchesAccess = changes.some(({ type }) => decidesAccess(recordType(type)))
  if (touchesAccess) await raiseAccessVersion(sql, domainId)
}

/** Accounts and consumers, grants, and the tree of organizations within which grants count. */
function decidesAccess({ name, signsIn, tree }: RecordType): boolean {
  return signsIn !== undefined || name === ACCESS || tree !== undefined
}

function toChangedRecord({ type, key, from, action, after, afterDigest }: Change): ChangedRecord[] {
  if ((action !== 'update' && action !== 'move') || after === null || afterDigest === null) return []
  return [{ type, key, from: from ?? key, body: after, digest: afterDigest }]
}

function toNewRecord(change: Change, uuids: ChangeMaterial['uuids']): NewRecord[] {
  const { type, key, after, afterDigest } = change
  const uuid = uuids.get(change)
  if (uuid === undefined || after === null || afterDigest === null) return []
  return [{ type, key, uuid, body: after, digest: afterDigest }]
}

async function writeReferences(sql: Sql, domainId: number, changes: readonly Change[]): Promise<void> {
  const references = changes.flatMap(referencesAfter)
  const written = await insertReferences(sql, domainId, references)
  // The plan has checked every reference under the same lock, so this says that the check and the write disagree.
  if (written !== references.length) {
    throw new HoldfastError('INTERNAL', `${references.length - written} references lead to records that do not exist`)
  }
}

function referencesAfter({ type, key, after }: Change): StoredReference[] {
  if (after === null) return []
  return referredRecords(recordType(type), key, after).map((to) => ({
    from: { type, key },
    to: { type: to.type, key: to.key },
    owner: to.owner,
  }))
}

/** After changes of MetadataTypes exactly the values that must be unique now are noted as such. */
async function changeMetadataRules(sql: Sql, domainId: number, changes: readonly Change[]): Promise<void> {
  const rules = changes.flatMap(changedRules).filter(({ entity }) => isHeldByData(entity))
  if (rules.length > 0) await noteChangedRules(sql, domainId, rules)
}

/** A rule that is gone, or is for another key now, makes nothing unique any more. */
function changedRules({ type, before, after }: Change): MetadataRule[] {
  const ruleOf = recordType(type).metadataRule
  if (ruleOf === undefined) return []
  const [old, now] = [before && ruleOf(before), after && ruleOf(after)]
  const sameKey = old?.entity === now?.entity && old?.key === now?.key
  if (sameKey && old?.unique === now?.unique) return []
  return [...(old && !sameKey ? [{ ...old, unique: false }] : []), ...(now ? [now] : [])]
}
