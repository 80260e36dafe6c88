import { HoldfastError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import type { RecordTypeName } from '../records/record-type.ts'
import { readDomain } from '../store/domains.ts'
import { countRecords, fetchRecordPage, type RecordQuery } from '../store/record-pages.ts'
import { fetchRecords, type StoredRecord } from '../store/records.ts'
import type { DomainContext } from './domain-context.ts'
import { pageOf, type Page } from './page.ts'

export async function listRecords(
  { database, domain }: DomainContext,
  type: RecordTypeName,
  query: RecordQuery,
): Promise<Page<StoredRecord>> {
  if (query.after !== null && !isUuid(query.after)) {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      'after is not a cursor; give the endCursor or cursor of an earlier answer',
    )
  }
  return readDomain(database, domain.id, async (sql) => {
    const records = await fetchRecordPage(sql, domain.id, type, query)
    const total = await countRecords(sql, domain.id, type, query.filter)
    return pageOf(records, query.first, total)
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
