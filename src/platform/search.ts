import { HoldfastError } from '../lib/errors.ts'
import { SYSTEM } from '../records/entities.ts'
import type { RecordTypeName } from '../records/record-type.ts'
import { readDomain } from '../store/domains.ts'
import { fetchEntityPage } from '../store/entity-pages.ts'
import { fetchRecordPage } from '../store/model/record-pages.ts'
import type { StoredRecord } from '../store/model/records.ts'
import { systemsMeant } from '../store/systems/systems.ts'
import { AnswerBudget } from './answer-budget.ts'
import type { DomainContext } from './domain-context.ts'
import { itemsOf } from './paging.ts'
import { visibleRecords } from './records/read-records.ts'
import { ownSystems, type Reach } from './systems/reach.ts'
import type { System } from './systems/systems.ts'

const LONGEST = 200

interface SearchOrder {
  readonly text: string
  /** The types of the records to search. */
  readonly types: readonly RecordTypeName[]
  /** The maximum number of results of each type, and of systems. */
  readonly most: number
}

/** The results. One more than the limit means that there are more. */
interface Found {
  readonly systems: readonly System[]
  readonly records: ReadonlyMap<RecordTypeName, readonly StoredRecord[]>
}

/** Searches for a text in the names of systems, and in the keys and names of records, in one snapshot. */
export async function searchAll(
  { database, domain, budget = new AnswerBudget() }: DomainContext,
  reach: { readonly data: Reach | null; readonly model: Reach | null },
  { text, types, most }: SearchOrder,
): Promise<Found> {
  if (text.length > LONGEST)
    throw new HoldfastError('BAD_USER_INPUT', `a search has at most ${LONGEST} characters; this one has ${text.length}`)
  const page = { first: most, after: null }
  return readDomain(database, domain.id, async (sql) => {
    const records = new Map<RecordTypeName, readonly StoredRecord[]>()
    const { data, model } = reach
    const meant =
      data &&
      systemsMeant({ search: text, uuids: ownSystems(data.systemUuid, undefined), units: data.units ?? undefined })
    const systems =
      meant && (await fetchEntityPage(sql, domain.id, SYSTEM, meant, { ...page, first: most + 1, by: 'name' }))
    for (const type of model === null ? [] : types) {
      const filter = { search: text, around: model === null ? undefined : visibleRecords(model, type) }
      const order = { by: 'KEY', direction: 'ASC' } as const
      records.set(type, itemsOf(await fetchRecordPage(sql, domain.id, type, { ...page, filter, order }, budget)))
    }
    return { systems: itemsOf(systems ?? []), records }
  })
}
