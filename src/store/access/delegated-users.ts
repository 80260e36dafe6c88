import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { hidden } from '../narrowest.ts'
import { PLATFORM_RECORD, PLATFORM_RECORD_COLUMNS, type PlatformRecord } from './platform-records.ts'

/** The condition under which no record of the model has taken the place of the user. */
const COUNTS = `p.domain_id = $1 and (
  select r.uuid from records r where r.domain_id = p.domain_id and r.type = p.type and r.key = p.key limit 1) is null`

/** The people whom another provider told about, by key, from the one after the key `after`. */
export async function fetchDelegatedUsers(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  { first, after }: { readonly first: number; readonly after: string | null },
): Promise<PlatformRecord[]> {
  return sql.rows(
    PLATFORM_RECORD,
    `select ${PLATFORM_RECORD_COLUMNS} from platform_records p where ${COUNTS} and p.type = $2 and ($3::text is null or p.key > $3) order by p.key limit $4`,
    [domainId, type, after, first],
  )
}

export async function fetchDelegatedUser(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  uuid: string,
): Promise<PlatformRecord | null> {
  const [found] = await sql.rows(
    PLATFORM_RECORD,
    `select ${PLATFORM_RECORD_COLUMNS} from platform_records p where ${COUNTS} and p.uuid = $3::uuid and ${hidden('p.type = $2')} for update`,
    [domainId, type, uuid],
  )
  return found ?? null
}
