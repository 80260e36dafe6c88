import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { fetchApplyOutline, fetchParts, type StoredOutline } from '../../../store/model/apply-changes.ts'
import { fetchRefusedSince, type RefusedSince } from '../../../store/datapoints/arriving/refused-datapoints.ts'
import { readDomain } from '../../../store/domains.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { Apply } from './applies.ts'
import { findChanges, type ChangeList } from './change-list.ts'

const NOTHING: StoredOutline = { outline: { size: 0, sections: [], parts: [] }, firstPart: 1 }

/** The changes of an apply. Only the requested parts are read. */
export async function applyChangeList({ database, domain }: DomainContext, uuid: string): Promise<ChangeList> {
  const stored = await readDomain(database, domain.id, (sql) => fetchApplyOutline(sql, domain.id, uuid))
  const { outline, firstPart } = stored ?? NOTHING
  return {
    outline,
    fetch: (parts) => readDomain(database, domain.id, (sql) => fetchParts(sql, domain.id, uuid, parts, firstPart)),
  }
}

const MOST_NAMED = 1_000

/** Datapoints refused since an apply, for the characteristics that it changed, or, if these are very many, for all. */
export interface Refused {
  readonly isOfAny: boolean
  readonly codes: readonly RefusedSince[]
}

export async function refusedSince(
  { database, domain }: DomainContext,
  { at }: Pick<Apply, 'at'>,
  list: ChangeList,
): Promise<Refused> {
  const section = list.outline.sections.find(({ name }) => name === DATA_TYPES.characteristic)
  if (section === undefined) return { isOfAny: false, codes: [] }
  const touched = await findChanges(list, { section: DATA_TYPES.characteristic, at: 0, first: MOST_NAMED })
  const isOfAny = touched.next !== null
  const uuids = isOfAny ? null : touched.changes.map(({ uuid }) => uuid)
  const codes = await readDomain(database, domain.id, (sql) => fetchRefusedSince(sql, domain.id, uuids, at))
  return { isOfAny, codes }
}
