import { compareRecords } from '../../plan/outline/change-outline.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { readDomain } from '../../store/domains.ts'
import {
  fetchOutlinedApplies,
  fetchPartsOfApplies,
  type OutlinedApply,
  type PartOfApply,
} from '../../store/model/change-history.ts'
import {
  fetchApplyChanges,
  parseChanges,
  storedOutline,
  unpackText,
  type ApplyChangeRow,
  type StoredOutline,
} from '../../store/model/apply-changes.ts'
import { AnswerBudget } from '../answer-budget.ts'
import type { DomainContext } from '../domain-context.ts'
import { findApply } from '../imports/history/applies.ts'

// Changes are sorted by their keys, and an outline has the first and last key of each part. So few parts are unpacked
// to find the changes of one record.

/** The effect of an apply on a record. */
export interface RecordChange extends ApplyChangeRow {
  readonly apply: Pick<OutlinedApply, 'uuid' | 'at' | 'actor' | 'origin'>
}

export interface RecordHistory {
  /** The changes, latest first. */
  readonly changes: readonly RecordChange[]
  /** The place to continue at; null if all applies were searched. */
  readonly next: HistoryPlace | null
}

export interface HistoryPlace {
  /** The history continues before this apply. */
  readonly before: string
  /** The key of the record at that time. */
  readonly key: string
}

const APPLIES = 200
const MOST_PARTS = 100

/** The applies that changed a record, including under its earlier keys. */
export async function recordHistory(
  context: DomainContext,
  { type, key }: RecordKey,
  from: HistoryPlace | null = null,
): Promise<RecordHistory> {
  const applies = await outlinedApplies(context, from?.before ?? null, APPLIES)
  // If that apply does not exist, the result would be empty and look like the end of the history.
  if (from !== null && applies.length === 0) await findApply(context, from.before)
  const changes: RecordChange[] = []
  let [at, known, room] = [0, from?.key ?? key, MOST_PARTS]
  while (at < applies.length && room > 0) {
    const wanted: RecordKey = { type, key: known }
    const places = placesOf([wanted], applies.slice(at))
    // All changes of an apply are on the same page, because the next page begins before it.
    const end = places.findIndex(({ apply }, index) => index >= room && apply !== places[index - 1]?.apply)
    const looked = end === -1 ? places : places.slice(0, end)
    const found = await changesOf(context, [wanted], looked, applies)
    const renamed: RecordChange | undefined = found.find((change) => change.from !== null)
    changes.push(...(renamed === undefined ? found : found.slice(0, found.indexOf(renamed) + 1)))
    const last = renamed?.apply.uuid ?? (looked.length < places.length ? looked.at(-1)?.apply : undefined)
    at = last === undefined ? applies.length : applies.findIndex(({ uuid }) => uuid === last) + 1
    known = renamed?.from ?? known
    room -= looked.length
  }
  const isAll = at === applies.length && applies.length < APPLIES
  const before = applies[at - 1]?.uuid
  return { changes, next: isAll || before === undefined ? null : { before, key: known } }
}

const LATEST_APPLIES = 50
const FEW_PARTS = 12

/** The last change of each record in the latest applies. */
export async function lastChanges(
  context: DomainContext,
  records: readonly RecordKey[],
): Promise<ReadonlyMap<string, RecordChange>> {
  const applies = await outlinedApplies(context, null, LATEST_APPLIES)
  const found = await changesOf(context, records, placesOf(records, applies).slice(0, FEW_PARTS), applies)
  // Reversed, so that the latest change of a record wins.
  return new Map(found.toReversed().map((change) => [recordId(change), change]))
}

type Outlined = OutlinedApply & StoredOutline

async function outlinedApplies({ database, domain }: DomainContext, before: string | null, first: number) {
  return readDomain(database, domain.id, async (sql): Promise<Outlined[]> => {
    const rows = await fetchOutlinedApplies(sql, domain.id, before, first)
    const outlined: Outlined[] = []
    // One after the other, because all changes of an apply without an outline are in memory.
    for (const row of rows)
      outlined.push({
        ...row,
        ...(await storedOutline(row.packed, () => fetchApplyChanges(sql, domain.id, row.uuid))),
      })
    return outlined
  })
}

/** The parts that may have changes of these records, by the first and last key of each part. */
function placesOf(records: readonly RecordKey[], applies: readonly Outlined[]): PartOfApply[] {
  return applies.flatMap(({ uuid, outline, firstPart }) =>
    outline.parts.flatMap(({ first, last }, part) => {
      const isWithin = ({ type, key }: RecordKey) =>
        compareRecords(first, [type, key]) <= 0 && compareRecords([type, key], last) <= 0
      return records.some(isWithin) ? [{ apply: uuid, part: part + firstPart }] : []
    }),
  )
}

/** Reads the changes of these records, and counts their characters as the answer's. */
async function changesOf(
  { database, domain, budget = new AnswerBudget() }: DomainContext,
  records: readonly RecordKey[],
  places: readonly PartOfApply[],
  applies: readonly Outlined[],
): Promise<RecordChange[]> {
  const parts = await readDomain(database, domain.id, (sql) => fetchPartsOfApplies(sql, domain.id, places))
  const ids = new Set(records.map(recordId))
  const keys = records.map(({ key }) => JSON.stringify(key))
  const byApply = new Map<string, ApplyChangeRow[]>()
  // One after the other, because many concurrent requests would otherwise hold all their parts in memory.
  for (const { apply, packed } of parts) {
    const text = await unpackText(packed)
    // Searching the text is cheaper than parsing it.
    if (!keys.some((key) => text.includes(key))) continue
    const own = parseChanges(text).filter((change) => ids.has(recordId(change)))
    budget.take(own.reduce((sum, { before, after }) => sum + JSON.stringify([before, after]).length, 0))
    byApply.set(apply, [...(byApply.get(apply) ?? []), ...own])
  }
  return applies.flatMap(({ uuid, at, actor, origin }) =>
    (byApply.get(uuid) ?? []).map((change) => ({ ...change, apply: { uuid, at, actor, origin } })),
  )
}
