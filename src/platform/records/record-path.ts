import { ACCESS, type RecordTypeName } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { readDomain } from '../../store/domains.ts'
import {
  fetchLinkedKeys,
  fetchLinkedRecords,
  fetchReferencesOf,
  fetchSystemsOfModels,
  type PathRecord,
  type PathSystem,
  type ReferringRecord,
} from '../../store/model/record-path.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Reach } from '../systems/reach.ts'
import { HIDDEN_TYPES } from './read-records.ts'

const { characteristic, characteristicLink, service, serviceLink, componentModel } = DATA_TYPES

/** Records of one type on the path. */
export interface PathStep {
  readonly type: RecordTypeName
  readonly isOwn: boolean
  readonly records: readonly Pick<PathRecord, 'uuid' | 'key'>[]
  readonly total: number
}

/** From the characteristic, through the service that has it, to the component model that uses it. */
const CHAIN = [characteristic, service, componentModel] as const
const LINKS = [characteristicLink, serviceLink] as const

/** The path from the model to the data, through a record; null if its type is on no path. */
export async function recordPath(
  { database, domain }: DomainContext,
  { type, uuid, key }: Pick<StoredRecord, 'type' | 'uuid' | 'key'>,
): Promise<readonly PathStep[] | null> {
  const place = CHAIN.findIndex((one) => one === type)
  if (place === -1) return null
  const own: PathStep = { type, isOwn: true, records: [{ uuid, key }], total: 1 }
  return readDomain(database, domain.id, async (sql) => {
    const step = async (from: PathStep, at: number, link: RecordTypeName | undefined): Promise<PathStep[]> => {
      const next = CHAIN[at]
      if (next === undefined || link === undefined) return []
      const uuids = from.records.map((record) => record.uuid)
      const records = await fetchLinkedRecords(sql, domain.id, uuids, link, next)
      return [{ type: next, isOwn: false, records, total: records[0]?.total ?? 0 }]
    }
    const up = await step(own, place + 1, LINKS[place])
    const further = up[0] === undefined ? [] : await step(up[0], place + 2, LINKS[place + 1])
    const down = await step(own, place - 1, LINKS[place - 1])
    const deeper = down[0] === undefined ? [] : await step(down[0], place - 2, LINKS[place - 2])
    return [...deeper, ...down, own, ...up, ...further]
  })
}

const MOST_SYSTEMS = 8

/**
 * The maximum number of components that are searched. A model that every system uses may have more, and would take too
 * long for a page.
 */
export const MOST_PATH_COMPONENTS = 10_000

/** The systems with components of the models at the end of a path. The result is limited. */
export function systemsOnPath(
  { database, domain }: DomainContext,
  path: readonly PathStep[],
): Promise<readonly PathSystem[]> {
  const models = path.find(({ type }) => type === componentModel)?.records.map(({ uuid }) => uuid) ?? []
  const wanted = { models, most: MOST_SYSTEMS, mostComponents: MOST_PATH_COMPONENTS }
  return readDomain(database, domain.id, (sql) => fetchSystemsOfModels(sql, domain.id, wanted))
}

export interface References {
  readonly to: readonly ReferringRecord[]
  readonly from: readonly ReferringRecord[]
}

const MOST_OF_TYPE = 12

/** The references from and to a record, the first ones of each type, as far as the actor may see them. */
export function referencesOfRecord(
  { database, domain }: DomainContext,
  { units }: Reach,
  { uuid }: Pick<StoredRecord, 'uuid'>,
): Promise<References> {
  // Grants name users and organizations of any unit, so only actors with a role in the whole domain see them.
  const never: readonly RecordTypeName[] = units === null ? [] : [ACCESS]
  const seen = { most: MOST_OF_TYPE, hidden: HIDDEN_TYPES, never, around: units }
  return readDomain(database, domain.id, async (sql) => ({
    to: await fetchReferencesOf(sql, domain.id, uuid, 'from', seen),
    from: await fetchReferencesOf(sql, domain.id, uuid, 'to', seen),
  }))
}

/** The keys at the other ends of the links of each record, by its uuid. */
export async function linkedKeys(
  { database, domain }: DomainContext,
  records: readonly Pick<StoredRecord, 'type' | 'uuid'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [first] = records
  const place = CHAIN.findIndex((one) => one === first?.type)
  const [link, next] = [LINKS[place], CHAIN[place + 1]]
  if (link === undefined || next === undefined) return new Map()
  const uuids = records.map(({ uuid }) => uuid)
  const rows = await readDomain(database, domain.id, (sql) => fetchLinkedKeys(sql, domain.id, uuids, link, next))
  return new Map([...Map.groupBy(rows, ({ uuid }) => uuid)].map(([uuid, own]) => [uuid, own.map(({ key }) => key)]))
}
