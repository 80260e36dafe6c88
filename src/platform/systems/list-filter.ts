import type { MetadataItem } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import type { DataEntity, Entity } from '../../records/entity.ts'
import type { MetadataFilter } from '../../store/entity-filters.ts'
import { findHolders } from '../../store/model/metadata-values.ts'
import { fetchUnitsWithin } from '../../store/model/units.ts'
import { changedMetadata, fetchEntityRules } from './entity-metadata.ts'

/** The filters that the lists of systems, components and events share. */
interface CommonFilter {
  /** The keys of organizations and units, each with all units below it. */
  readonly organizationUnits?: readonly string[] | undefined
  readonly metadata?: readonly MetadataItem[] | undefined
}

type LookedUp<Filter extends CommonFilter> = Omit<Filter, keyof CommonFilter> &
  MetadataFilter & {
    /** The uuids of the units. */
    readonly organizationUnits?: readonly string[]
  }

/** A list fetches and sorts up to this many rows that match. If more match, reading in order finds them quickly. */
const MOST_HOLDERS = 1_000

/** Looks up the keys and values of a filter by an index. Invalid values are refused. */
export async function lookUpFilter<Filter extends CommonFilter>(
  sql: Sql,
  domainId: number,
  entity: Pick<Entity, 'table'> & { readonly metadataEntity: DataEntity },
  { organizationUnits: keys, metadata: given, ...others }: Filter,
): Promise<LookedUp<Filter>> {
  const units = keys === undefined ? {} : { organizationUnits: await fetchUnitsWithin(sql, domainId, keys) }
  if (given === undefined || given.length === 0) return { ...others, ...units }
  const rules = await fetchEntityRules(sql, domainId, entity.metadataEntity)
  const metadata = JSON.stringify(changedMetadata(rules, given))
  const holders = (await findHolders(sql, entity, metadata, MOST_HOLDERS)) ?? undefined
  return { ...others, ...units, metadata, holders }
}
