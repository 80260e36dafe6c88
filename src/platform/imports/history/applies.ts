import { HoldfastError } from '../../../lib/errors.ts'
import { textLength } from '../../../lib/text-length.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { patchBetween } from '../../../plan/compare/patch.ts'
import { PLANNED_TYPE_NAMES, type RecordTypeName } from '../../../records/record-type.ts'
import { ownerName } from '../../../records/type-owner.ts'
import { fetchPackedChanges, unpackChanges, unpackedBytes } from '../../../store/model/apply-changes.ts'
import {
  countApplies as countStoredApplies,
  fetchApplies,
  fetchAppliesOf,
  fetchApply,
  type ApplyRow,
} from '../../../store/model/applies.ts'
import { readDomain } from '../../../store/domains.ts'
import { AnswerBudget, MOST_DOCUMENT_BYTES } from '../../answer-budget.ts'
import type { DomainContext } from '../../domain-context.ts'

export interface Apply extends Omit<ApplyRow, 'managedBefore' | 'ownersBefore'> {
  /** False if there was nothing to do. An apply that changes nothing is not recorded. */
  readonly recorded: boolean
  /** The types that earlier applies of the same owner managed and that this one did not change. */
  readonly notManaged: readonly string[]
}

export function toApply(row: ApplyRow): Apply {
  const { managedBefore: _, ownersBefore: __, ...apply } = row
  return { ...apply, recorded: true, notManaged: notManagedIn(row) }
}

/** The types that were managed and are missing in the document. A rollback has no document, so it has none. */
export function notManagedIn(row: Pick<ApplyRow, 'scope' | 'origin' | 'managedBefore' | 'ownersBefore'>): string[] {
  const { scope, origin, managedBefore, ownersBefore } = row
  if (origin['rollbackOf'] !== undefined) return []
  const isOther = (type: RecordTypeName) =>
    ownersBefore !== null && ownerName(ownersBefore[type] ?? null) !== (origin['owner'] ?? ownerName(null))
  return PLANNED_TYPE_NAMES.filter(
    (type) => type in managedBefore && (scope[type] ?? 'unmanaged') === 'unmanaged' && !isOther(type),
  )
}

/** Lists applies, the latest first. `after` is the uuid of the last one on the previous page. */
export async function listApplies(
  { database, domain }: DomainContext,
  first: number,
  after: string | null,
): Promise<Apply[]> {
  const rows = await readDomain(database, domain.id, async (sql) => {
    if (after !== null && (await fetchApply(sql, domain.id, after)) === null) throw unknownApply(after)
    return fetchApplies(sql, domain.id, first, after)
  })
  return rows.map(toApply)
}

export async function findApply({ database, domain }: DomainContext, uuid: string): Promise<Apply> {
  const row = await readDomain(database, domain.id, (sql) => fetchApply(sql, domain.id, uuid))
  if (row === null) throw unknownApply(uuid)
  return toApply(row)
}

/** Finds the existing applies among these. */
export async function findApplies(
  { database, domain, budget }: DomainContext,
  uuids: readonly string[],
): Promise<Apply[]> {
  const rows = await readDomain(database, domain.id, (sql) => fetchAppliesOf(sql, domain.id, uuids))
  budget?.take(textLength(rows))
  return rows.map(toApply)
}

export async function countApplies({ database, domain }: DomainContext): Promise<number> {
  return readDomain(database, domain.id, (sql) => countStoredApplies(sql, domain.id))
}

function unknownApply(uuid: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `there is no apply ${uuid}`)
}

/** The changes of an apply. Fails if they exceed the budget, before they take memory. */
export async function listApplyChanges(
  { database, domain }: DomainContext,
  uuid: string,
  budget = new AnswerBudget(MOST_DOCUMENT_BYTES),
): Promise<JsonObject[]> {
  const packed = await readDomain(database, domain.id, (sql) => fetchPackedChanges(sql, domain.id, [uuid]))
  const parts = packed.get(uuid) ?? []
  budget.take(unpackedBytes(parts))
  const rows = await unpackChanges(parts)
  return rows.map((row) => ({ ...row, patch: patchBetween(row.before, row.after) }) as unknown as JsonObject)
}
