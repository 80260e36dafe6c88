import { INT4, JSONB_OBJECT, TEXT, textOf, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { isDigest, type Digest } from '../../lib/digest.ts'
import { sortKeys } from '../../lib/json.ts'
import { isRecordTypeName, type RecordBody, type RecordKey, type RecordTypeName } from '../../records/record-type.ts'
import { fromLines, toLines } from '../lines.ts'
import type { DATA_TYPES } from '../../records/types/data-types.ts'
import { hidden } from '../narrowest.ts'

export const RECORD_KEY = { type: textOf(isRecordTypeName), key: TEXT }

/** A record that was changed or deleted, under its previous key. */
export const IDENTIFIED_RECORD = { ...RECORD_KEY, uuid: UUID }
export type IdentifiedRecord = RowOf<typeof IDENTIFIED_RECORD>

export const RECORD = {
  ...IDENTIFIED_RECORD,
  body: JSONB_OBJECT,
  digest: textOf(isDigest),
  revision: INT4,
  createdAt: TIMESTAMPTZ,
  updatedAt: TIMESTAMPTZ,
}

export type StoredRecord = RowOf<typeof RECORD>

export const RECORD_COLUMNS = `r.type, r.key, r.uuid, r.body, r.digest, r.revision, r.created_at as "createdAt", r.updated_at as "updatedAt"`

type Digests = ReadonlyMap<RecordTypeName, ReadonlyMap<string, Digest>>

/** The key and digest of every record of a domain. The result has one row per type. */
export async function fetchDigests(sql: Sql, domainId: number): Promise<Digests> {
  const rows = await sql.rows(
    { type: RECORD_KEY.type, lines: TEXT },
    `select type, string_agg(key || E'\\t' || digest, E'\\n') as lines from records where domain_id = $1 group by type`,
    [domainId],
  )
  return new Map(rows.map(({ type, lines }) => [type, parseDigests(lines)]))
}

function parseDigests(lines: string): ReadonlyMap<string, Digest> {
  const digests = new Map<string, Digest>()
  for (const line of lines.split('\n')) {
    const tab = line.indexOf('\t')
    digests.set(line.slice(0, tab), line.slice(tab + 1) as Digest)
  }
  return digests
}

/**
 * SQL for the records whose types are in the parameter `$first` and whose keys are in the next one, as `keyLines`
 * returns them. Each is found through the index. With a join and without statistics, which PGlite never collects,
 * PostgreSQL would read all records.
 */
export function recordsByKey(first: number, alias = 'r'): string {
  return `${fromLines('wanted', ['type', 'key'], first)} cross join lateral (
    select * from records where domain_id = $1 and type = wanted.type and key = wanted.key limit 1) ${alias}`
}

/** The existing records among these. */
export async function fetchRecords(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<StoredRecord[]> {
  // Clients name records too. No key contains a line feed.
  const possible = keys.filter(({ key }) => !key.includes('\n'))
  if (possible.length === 0) return []
  const from = recordsByKey(2)
  const rows = await sql.rows(RECORD, `select ${RECORD_COLUMNS} from ${from}`, [domainId, ...keyLines(possible)])
  return rows.map(inCanonicalOrder)
}

const CONTENT = { ...IDENTIFIED_RECORD, body: JSONB_OBJECT }

/** A record without its digest, revision and times. */
export type RecordContent = RowOf<typeof CONTENT>

/** All records of some types, by type and key. */
export async function fetchAllRecords(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
): Promise<RecordContent[]> {
  const rows = await sql.rows(
    CONTENT,
    `select r.type, r.key, r.uuid, r.body from records r where r.domain_id = $1 and r.type = any ($2) order by r.type, r.key`,
    [domainId, types],
  )
  return rows.map(inCanonicalOrder)
}

/** The records with metadata under these keys. */
export async function fetchRecordsWithMetadata(
  sql: Sql,
  domainId: number,
  metadataKeys: readonly string[],
): Promise<StoredRecord[]> {
  const rows = await sql.rows(
    RECORD,
    `select ${RECORD_COLUMNS} from records r
     where r.domain_id = $1 and exists (
       select from jsonb_array_elements(r.body -> 'metadataKeyValueStore') item where item ->> 'key' = any ($2))`,
    [domainId, metadataKeys],
  )
  return rows.map(inCanonicalOrder)
}

/** Sorts the body. jsonb sorts keys by length, but the canonical form sorts them by code unit. */
export function inCanonicalOrder<Row extends { readonly body: RecordBody }>(row: Row): Row {
  return { ...row, body: sortKeys(row.body) }
}

/** The present keys of the records with these uuids. */
export async function fetchKeysByUuid(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map()
  const rows = await sql.rows(
    { uuid: UUID, key: TEXT },
    `select r.uuid, r.key from records r where r.domain_id = $1 and r.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
  return new Map(rows.map(({ uuid, key }) => [uuid, key]))
}

export type NewRecord = Omit<StoredRecord, 'revision' | 'createdAt' | 'updatedAt'>

export async function insertRecords(
  sql: Sql,
  domainId: number,
  records: readonly NewRecord[],
  now: Date,
): Promise<void> {
  if (records.length === 0) return
  await sql.query(
    `insert into records (domain_id, type, key, uuid, body, digest, created_at, updated_at)
     select $1, type, key, uuid::uuid, body::jsonb, digest, $2::timestamptz, $2::timestamptz
     from ${fromLines('new', ['uuid', 'digest', 'body', 'type', 'key'], 3)}
     returning 1 as one`,
    // The order matters. A driver grows its buffer by half of its size. The parameters before the bodies, which are the
    // largest, make room for those after them, so that the buffer with the bodies is not copied again.
    [
      domainId,
      now.toISOString(),
      toLines(records.map(({ uuid }) => uuid)),
      toLines(records.map(({ digest }) => digest)),
      toLines(records.map(({ body }) => JSON.stringify(body))),
      ...keyLines(records),
    ],
  )
}

export interface ChangedRecord extends RecordKey {
  /** The previous key of the record. */
  readonly from: string
  readonly body: RecordBody
  readonly digest: Digest
}

/** Updates and moves records in one statement, so that two records may exchange their keys. */
export async function updateRecords(
  sql: Sql,
  domainId: number,
  records: readonly ChangedRecord[],
  now: Date,
): Promise<IdentifiedRecord[]> {
  if (records.length === 0) return []
  return sql.rows(
    IDENTIFIED_RECORD,
    `update records r
     set key = new.key, body = new.body::jsonb, digest = new.digest, revision = r.revision + 1, updated_at = $2::timestamptz
     from ${fromLines('new', ['type', 'key', 'from_key', 'body', 'digest'], 3)}
     where r.domain_id = $1 and r.type = new.type and r.key = new.from_key
     returning r.type, new.from_key as key, r.uuid`,
    [
      domainId,
      now.toISOString(),
      ...keyLines(records),
      toLines(records.map(({ from }) => from)),
      toLines(records.map(({ body }) => JSON.stringify(body))),
      toLines(records.map(({ digest }) => digest)),
    ],
  )
}

/** Deletes records with their secrets and their references to others. */
export async function deleteRecords(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<IdentifiedRecord[]> {
  if (keys.length === 0) return []
  return sql.rows(
    IDENTIFIED_RECORD,
    `with gone as (
       delete from records r using ${fromLines('named', ['type', 'key'], 2)}
       where r.domain_id = $1 and r.type = named.type and r.key = named.key
       returning r.type, r.key, r.uuid
     ), their_secrets as (
       delete from record_secrets s using gone where s.domain_id = $1 and s.record_uuid = gone.uuid
     ), their_references as (
       delete from record_references f using gone where f.domain_id = $1 and f.from_uuid = gone.uuid
     )
     select type, key, uuid from gone`,
    [domainId, ...keyLines(keys)],
  )
}

export function keyLines(keys: readonly RecordKey[]): [string, string] {
  return [toLines(keys.map(({ type }) => type)), toLines(keys.map(({ key }) => key))]
}

/** Updates the statistics of the model. Until autovacuum does, a minute later, query plans would read all records. */
export async function analyzeRecords(database: Database): Promise<void> {
  await database.statement('analyze records, record_references')
}

interface NamedRecords {
  readonly type: (typeof DATA_TYPES)[keyof typeof DATA_TYPES]
  /** The parameter with the names, which are keys or uuids. */
  readonly names: string
  /** The parameter with those names that are uuids. */
  readonly uuids: string
}

/** SQL for the records `r` of a type by key or uuid, each by its index. `ofKey` and `ofUuid` are their columns. */
export function namedRecords({ type, names, uuids }: NamedRecords, ofKey: string, ofUuid = ofKey): string {
  return `select ${ofKey} from records r where r.domain_id = $1 and r.type = '${type}' and r.key = any (${names}::text[])
    union all
    select ${ofUuid} from records r
    where r.domain_id = $1 and r.uuid = any (${uuids}::uuid[]) and ${hidden(`r.type = '${type}'`)}`
}
