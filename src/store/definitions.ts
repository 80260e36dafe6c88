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

/** The definition of the object with this uuid: of a record, an entity or an apply. */
export async function findDefinition(sql: Sql, domainId: number, uuid: string): Promise<string | null> {
  const [row] = await sql.rows({ name: TEXT }, `${OF_ALL.join(' union all ')} limit 1`, [domainId, uuid])
  const name = row?.name ?? null
  return name !== null && isRecordTypeName(name) ? recordType(name).definition : name
}
