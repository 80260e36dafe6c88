import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { BYTEA, UUID } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { fromLines, toLines } from '../lines.ts'

// The changes of an apply are kept as JSON, a thousand to a part, compressed. The bodies of one record type are so
// alike that a tenth is left of them.

/** A change as it was made; secrets are in neither body. */
export interface ApplyChangeRow extends RecordKey {
  /** The uuid of the record, which stays the same when its key changes. */
  readonly uuid: string
  readonly from: string | null
  readonly action: string
  readonly cause: string
  readonly before: RecordBody | null
  readonly after: RecordBody | null
}

const CHANGES_IN_PART = 1_000
/** Node has so many threads for such work. */
const PARTS_AT_ONCE = 4

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * Compresses a few parts at a time on other threads, so that this thread goes on with other work in between and only
 * the changes of these parts are in memory.
 */
export async function packChanges(changes: Iterable<ApplyChangeRow>): Promise<readonly Uint8Array[]> {
  const packed: Uint8Array[] = []
  for (const parts of inGroups(inGroups(changes, CHANGES_IN_PART), PARTS_AT_ONCE)) {
    packed.push(...(await Promise.all(parts.map(packPart))))
  }
  return packed
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let group: Item[] = []
  for (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

function packPart(changes: readonly ApplyChangeRow[]): Promise<Uint8Array> {
  return compress(JSON.stringify(changes), { level: constants.Z_BEST_SPEED })
}

export async function insertApplyChanges(
  sql: Sql,
  domainId: number,
  uuid: string,
  packed: readonly Uint8Array[],
): Promise<void> {
  if (packed.length === 0) return
  await sql.query(
    `insert into apply_changes (domain_id, apply_uuid, part, packed)
     select $1, $2::uuid, new.part::integer, decode(new.packed, 'base64')
     from ${fromLines('new', ['part', 'packed'], 3)} returning 1 as one`,
    [
      domainId,
      uuid,
      toLines(packed.map((_, part) => String(part))),
      toLines(packed.map((bytes) => Buffer.from(bytes).toString('base64'))),
    ],
  )
}

export async function fetchApplyChanges(sql: Sql, domainId: number, uuid: string): Promise<ApplyChangeRow[]> {
  const rows = await sql.rows(
    { packed: BYTEA },
    `select packed from apply_changes where domain_id = $1 and apply_uuid = $2 order by part`,
    [domainId, uuid],
  )
  return unpackChanges(rows.map(({ packed }) => packed))
}

/** The changes of several applies, as they are stored, by the uuid of the apply. */
export async function fetchPackedChanges(
  sql: Sql,
  domainId: number,
  applyUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  if (applyUuids.length === 0) return new Map()
  const rows = await sql.rows(
    { applyUuid: UUID, packed: BYTEA },
    `select apply_uuid as "applyUuid", packed from apply_changes
     where domain_id = $1 and apply_uuid = any ($2::uuid[]) order by apply_uuid, part`,
    [domainId, applyUuids],
  )
  const byApply = Map.groupBy(rows, ({ applyUuid }) => applyUuid)
  return new Map([...byApply].map(([uuid, parts]) => [uuid, parts.map(({ packed }) => packed)]))
}

export async function unpackChanges(parts: readonly Uint8Array[]): Promise<ApplyChangeRow[]> {
  const changes: ApplyChangeRow[] = []
  for (const part of parts) changes.push(...(JSON.parse(String(await decompress(part))) as ApplyChangeRow[]))
  return changes
}
