import type { MetadataDataType } from '../../records/metadata.ts'
import { RECORD_TYPES } from '../../records/registry.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchAllRecords } from '../../store/model/records.ts'
import type { DomainContext } from '../domain-context.ts'

/** A key that the data model declares for the metadata of one kind of entity. */
export interface DeclaredMetadata {
  readonly key: string
  readonly dataType: MetadataDataType
  readonly isUnique: boolean
  readonly description: string | null
}

const RULING = RECORD_TYPES.filter(({ metadataRule }) => metadataRule !== undefined)

/** Lists the keys that are declared for an entity such as `SYSTEM`, by name. */
export async function listDeclaredMetadata(
  { database, domain }: DomainContext,
  entity: string,
): Promise<readonly DeclaredMetadata[]> {
  const names = RULING.map(({ name }) => name)
  const records = await readDomain(database, domain.id, (sql) => fetchAllRecords(sql, domain.id, names))
  const declared = records.flatMap(({ type, body }) => {
    const rule = RULING.find(({ name }) => name === type)?.metadataRule?.(body)
    if (rule === undefined || rule.entity !== entity) return []
    const { key, dataType, unique } = rule
    const description = typeof body['description'] === 'string' ? body['description'] : null
    return [{ key, dataType, isUnique: unique, description }]
  })
  return declared.sort((one, other) => (one.key < other.key ? -1 : 1))
}
