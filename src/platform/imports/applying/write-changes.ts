import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Change } from '../../../plan/plan.ts'
import { referredRecords } from '../../../records/references.ts'
import { ACCESS, type RecordType, type MetadataRule } from '../../../records/record-type.ts'
import { splitKey } from '../../../records/identity.ts'
import { recordType } from '../../../records/registry.ts'
import { deleteDataBehind, holdsData } from '../../../store/systems/data-behind.ts'
import { raiseModelVersion } from '../../../store/model/model-versions.ts'
import { endAll, endingsOf, type Ending } from '../../../store/access/ended-identities.ts'
import { raiseAccessVersion } from '../../../store/domains.ts'
import {
  deleteRecords,
  insertRecords,
  updateRecords,
  type ChangedRecord,
  type IdentifiedRecord,
  type NewRecord,
} from '../../../store/model/records.ts'
import { deleteReferencesFrom, insertReferences, type StoredReference } from '../../../store/model/record-references.ts'
import { saveSecrets, type NewSecret } from '../../../store/model/secrets.ts'
import { forgetPlacesOf } from '../../access/sessions/guessing.ts'
import type { DomainContext } from '../../domain-context.ts'
import { isHeldByData, noteChangedRules } from '../../../store/model/metadata-values.ts'

/** The inputs of the changes, besides their bodies. */
export interface PreparedChanges {
  /** The uuids of the records to create. */
  readonly uuids: ReadonlyMap<Change, string>
  readonly secrets: readonly NewSecret[]
  /** Sessions and tokens to end: of accounts that may no longer sign in, or whose identities are another person's. */
  readonly endings: readonly Ending[]
  /** The time of all changes. */
  readonly at: Date
}

/** Makes exactly these changes, by a fixed number of statements, inside the transaction that checked them. */
export async function writeChanges(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  prepared: PreparedChanges,
): Promise<void> {
  await writeExisting(sql, context, changes, prepared)
  await writeNew(sql, context, changes, prepared)
}

/** The first half: deletes, updates and moves. Returns the records that existed, by their earlier keys. */
export async function writeExisting(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  { at }: PreparedChanges,
): Promise<readonly IdentifiedRecord[]> {
  const { id } = context.domain
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

/** The second half: new records, and the references of all changed records. */
export async function writeNew(
  sql: Sql,
  context: DomainContext,
  changes: readonly Change[],
  { uuids, at }: PreparedChanges,
): Promise<void> {
  const { id } = context.domain
  await insertRecords(
    sql,
    id,
    changes.flatMap((change) => toNewRecord(change, uuids)),
    at,
  )
  await writeReferences(sql, id, changes)
}

/**
 * Must be called last in the transaction: see `raiseAccessVersion` and `raiseModelVersion`. When `lookAgain` checks new
 * points, no more points are stored by the old model. That check may be slow. So secrets are written after it, because
 * sign-ins hold their rows. Sessions and tokens also end after it, because that blocks each sign-out.
 */
export async function finishChanges(
  sql: Sql,
  context: Pick<DomainContext, 'domain' | 'key'>,
  changes: readonly Change[],
  { endings, secrets }: Pick<PreparedChanges, 'endings' | 'secrets'>,
  lookAgain: () => Promise<void>,
): Promise<void> {
  const domainId = context.domain.id
  const isDeleted = changes.some(({ action, type }) => action === 'delete' && holdsData(type))
  if (changes.length > 0) await raiseModelVersion(sql, domainId, isDeleted ? 'deletion' : 'records')
  await lookAgain()
  const replaced = await saveSecrets(sql, domainId, secrets)
  await forgetPlacesOf(sql, context, secrets.flatMap(machineLogin))
  await endAll(sql, domainId, [...endings, ...endingsOf(replaced, 'all')])
  const touchesAccess = changes.some(({ type }) => decidesAccess(recordType(type)))
  if (touchesAccess) await raiseAccessVersion(sql, domainId)
}

/** The login of a machine user. Applications sign in by other means, and people get no password by an apply. */
function machineLogin({ type, key }: NewSecret): string[] {
  return recordType(type).signsIn === 'machine' ? splitKey(key) : []
}

/** Tells whether records of a type affect access: accounts, consumers, grants, and the tree of organizations. */
function decidesAccess({ name, signsIn, tree }: RecordType): boolean {
  return signsIn !== undefined || name === ACCESS || tree !== undefined
}

function toChangedRecord({ type, key, from, action, after, afterDigest }: Change): ChangedRecord[] {
  if ((action !== 'update' && action !== 'move') || after === null || afterDigest === null) return []
  return [{ type, key, from: from ?? key, body: after, digest: afterDigest }]
}

function toNewRecord(change: Change, uuids: PreparedChanges['uuids']): NewRecord[] {
  const { type, key, after, afterDigest } = change
  const uuid = uuids.get(change)
  if (uuid === undefined || after === null || afterDigest === null) return []
  return [{ type, key, uuid, body: after, digest: afterDigest }]
}

async function writeReferences(sql: Sql, domainId: number, changes: readonly Change[]): Promise<void> {
  const references = changes.flatMap(referencesAfter)
  const written = await insertReferences(sql, domainId, references)
  // The plan has checked every reference under the same lock, so a difference means that the check and the write
  // disagree.
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

/** Records which stored values must be unique after changes of MetadataTypes. */
async function changeMetadataRules(sql: Sql, domainId: number, changes: readonly Change[]): Promise<void> {
  const rules = changes.flatMap(changedRules).filter(({ entity }) => isHeldByData(entity))
  if (rules.length > 0) await noteChangedRules(sql, domainId, rules)
}

/** The rules that a change affects. If a rule is deleted or its key changes, its values need not be unique any more. */
function changedRules({ type, before, after }: Change): MetadataRule[] {
  const ruleOf = recordType(type).metadataRule
  if (ruleOf === undefined) return []
  const [old, now] = [before && ruleOf(before), after && ruleOf(after)]
  const sameKey = old?.entity === now?.entity && old?.key === now?.key
  if (sameKey && old?.unique === now?.unique) return []
  return [...(old && !sameKey ? [{ ...old, unique: false }] : []), ...(now ? [now] : [])]
}
