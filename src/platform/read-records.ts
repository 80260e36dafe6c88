import { HoldfastError } from '../lib/errors.ts'
import type { RecordTypeName } from '../records/record-type.ts'
import { readDomain } from '../store/domains.ts'
import { countRecords, fetchRecordPage, type RecordQuery } from '../store/record-pages.ts'
import { fetchRecords, type StoredRecord } from '../store/records.ts'
import type { DomainContext } from './domain-context.ts'

export interface RecordPage {
  readonly records: readonly StoredRecord[]
  readonly hasNext: boolean
  /** Of all pages. */
  readonly total: number
  cursorOf(record: StoredRecord): string
}

const CURSOR = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

export async function listRecords(
  { database, domain }: DomainContext,
  type: RecordTypeName,
  query: RecordQuery,
): Promise<RecordPage> {
  if (query.after !== null && !CURSOR.test(query.after)) {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      'after is not a cursor; give the endCursor or cursor of an earlier answer',
    )
  }
  return readDomain(database, domain.id, async (sql) => {
    const records = await fetchRecordPage(sql, domain.id, type, query)
    const total = await countRecords(sql, domain.id, type, query.filter)
    return {
      records: records.slice(0, query.first),
      hasNext: records.length > query.first,
      total,
      cursorOf: ({ uuid }) => uuid,
    }
  })
}

export async function findRecord(
  { database, domain }: DomainContext,
  type: RecordTypeName,
  key: string,
): Promise<StoredRecord | null> {
  const [record] = await readDomain(database, domain.id, (sql) => fetchRecords(sql, domain.id, [{ type, key }]))
  return record ?? null
}
