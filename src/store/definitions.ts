import { TEXT } from '../db/columns.ts'
import type { Sql } from '../db/sql.ts'
import { ENTITIES } from '../records/entities.ts'
import { storedFields } from '../records/entity.ts'
import { isRecordTypeName } from '../records/record-type.ts'
import { recordType } from '../records/registry.ts'

const OF_ENTITIES = ENTITIES.flatMap((entity) =>
  storedFields(entity)
    .filter(({ name }) => name === 'uuid')
    .map(
      ({ column }) =>
        `select '${entity.definition}' as name from ${entity.table} where domain_id = $1 and ${column} = $2`,
    ),
)

const OF_ALL = [
  `select type as name from records where domain_id = $1 and uuid = $2`,
  `select 'Apply' as name from applies where domain_id = $1 and uuid = $2`,
  ...OF_ENTITIES,
]

/** The definitions of the objects with this uuid: records, entities or applies. Clients may give one uuid to several. */
export async function findDefinitions(sql: Sql, domainId: number, uuid: string): Promise<string[]> {
  const rows = await sql.rows({ name: TEXT }, OF_ALL.join(' union all '), [domainId, uuid])
  return rows.map(({ name }) => (isRecordTypeName(name) ? recordType(name).definition : name))
}
