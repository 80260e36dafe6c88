import { promisify } from 'node:util'
import { constants, gunzip, gzip, gzipSync } from 'node:zlib'
import { BYTEA, UUID } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { SourcePosition } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { CHANGES_IN_PART, Outliner, type ChangeOutline, type Outlined } from '../../plan/outline/change-outline.ts'
import type { Impact } from '../../plan/plan.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { fromLines, toLines } from '../lines.ts'

// The changes of an apply are stored as compressed JSON, in parts of a thousand changes. Compression leaves a tenth,
// because bodies of one record type are similar. Part 0 is an outline of the other parts, so that only few parts must
// be read. The first releases stored no outline: their parts all contain changes, from part 0 on.

/** A change that was made. The bodies contain no secrets. */
export interface ApplyChangeRow extends RecordKey {
  /** The uuid of the record, which stays the same when its key changes. */
  readonly uuid: string
  readonly from: string | null
  readonly action: string
  readonly cause: string
  readonly before: RecordBody | null
  readonly after: RecordBody | null
  /** The data that was deleted with the record; left out if there was none, and in older releases. */
  readonly lost?: Impact
  /** The place of the record's description, as the client reported it. */
  readonly source?: SourcePosition
}

/** Stored changes: an outline, and the parts that it describes. */
export interface PackedChanges {
  readonly outline: Uint8Array
  readonly parts: readonly Uint8Array[]
}

/** Node has four threads for such work. */
const PARTS_AT_ONCE = 4

/** The smallest text that is compressed on another thread. For smaller ones, the transfer takes longer. */
const LEAST_ON_THREAD = 16_384

const QUICKLY = { level: constants.Z_BEST_SPEED }
const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Compresses a few parts at a time on other threads. So this thread can work, and only these changes are in memory. */
export async function packChanges(changes: Iterable<Outlined>): Promise<PackedChanges> {
  const outliner = new Outliner()
  const parts: Uint8Array[] = []
  for (const group of inGroups(inGroups(outlined(changes, outliner), CHANGES_IN_PART), PARTS_AT_ONCE)) {
    parts.push(...(await Promise.all(group.map(pack))))
  }
  return { outline: await pack(outliner.outline), parts }
}

function* outlined(changes: Iterable<Outlined>, outliner: Outliner): Generator<object> {
  for (const change of changes) {
    outliner.add(change)
    // The patch can be computed from the two bodies. JSON omits undefined values.
    yield { ...change, patch: undefined }
  }
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

async function pack(value: unknown): Promise<Uint8Array> {
  const text = JSON.stringify(value)
  return text.length < LEAST_ON_THREAD ? gzipSync(text, QUICKLY) : compress(text, QUICKLY)
}

/** The text of a part. A search looks at the text before it is parsed. */
export async function unpackText(packed: Uint8Array): Promise<string> {
  return String(await decompress(packed))
}

export function parseChanges(text: string): ApplyChangeRow[] {
  const changes: unknown = JSON.parse(text)
  if (!Array.isArray(changes)) throw unknownForm()
  return changes as ApplyChangeRow[]
}

export async function unpackOutline(packed: Uint8Array): Promise<ChangeOutline> {
  return parseOutline(await unpackText(packed))
}

function parseOutline(text: string): ChangeOutline {
  const outline: unknown = JSON.parse(text)
  if (!isOutline(outline)) throw unknownForm()
  return outline
}

function isOutline(value: unknown): value is ChangeOutline {
  return isObject(value) && Array.isArray(value['parts']) && Array.isArray(value['sections'])
}

function unknownForm(): HoldfastError {
  const message =
    'the changes of this apply are kept in a form that this release of Holdfast does not know; look at them with the release that made the apply, or a newer one'
  return new HoldfastError('CONFLICT', message)
}

/** The outline of an apply, and the number of the first stored part with changes. */
export interface StoredOutline {
  readonly outline: ChangeOutline
  readonly firstPart: number
}

/** Reads part 0 of an apply. If it contains changes, the outline is computed from all parts. */
export async function storedOutline(
  packed: Uint8Array,
  allChanges: () => Promise<readonly ApplyChangeRow[]>,
): Promise<StoredOutline> {
  const text = await unpackText(packed)
  if (!hasChanges(text)) return { outline: parseOutline(text), firstPart: 1 }
  const outliner = new Outliner()
  for (const change of await allChanges()) outliner.add(change)
  return { outline: outliner.outline, firstPart: 0 }
}

/** The unpacked size of parts, which gzip stores at the end of each (RFC 1952, ISIZE). */
export function unpackedBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { buffer, byteOffset, byteLength }) => {
    return byteLength < 4 ? sum : sum + new DataView(buffer, byteOffset + byteLength - 4, 4).getUint32(0, true)
  }, 0)
}

/** Unpacks the changes of these parts. An outline among them is skipped. */
export async function unpackChanges(parts: readonly Uint8Array[]): Promise<ApplyChangeRow[]> {
  const changes: ApplyChangeRow[] = []
  for (const part of parts) {
    const text = await unpackText(part)
    if (hasChanges(text)) changes.push(...parseChanges(text))
    else parseOutline(text)
  }
  return changes
}

function hasChanges(text: string): boolean {
  return text.startsWith('[')
}

export async function insertApplyChanges(
  sql: Sql,
  domainId: number,
  uuid: string,
  { outline, parts }: PackedChanges,
): Promise<void> {
  if (parts.length === 0) return
  const rows = [outline, ...parts]
  await sql.query(
    `insert into apply_changes (domain_id, apply_uuid, part, packed)
     select $1, $2::uuid, new.part::integer, decode(new.packed, 'base64')
     from ${fromLines('new', ['part', 'packed'], 3)} returning 1 as one`,
    [
      domainId,
      uuid,
      toLines(rows.map((_, part) => String(part))),
      toLines(rows.map((bytes) => Buffer.from(bytes).toString('base64'))),
    ],
  )
}

const PACKED = { packed: BYTEA }

export async function fetchApplyChanges(sql: Sql, domainId: number, uuid: string): Promise<ApplyChangeRow[]> {
  return unpackChanges((await fetchPackedChanges(sql, domainId, [uuid])).get(uuid) ?? [])
}

/** All stored parts of several applies, by the uuid of the apply. */
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

/** The outline of an apply; null if it changed no record. */
export async function fetchApplyOutline(sql: Sql, domainId: number, uuid: string): Promise<StoredOutline | null> {
  const [row] = await sql.rows(
    PACKED,
    `select packed from apply_changes where domain_id = $1 and apply_uuid = $2 and part = 0`,
    [domainId, uuid],
  )
  return row === undefined ? null : storedOutline(row.packed, () => fetchApplyChanges(sql, domainId, uuid))
}

/**
 * The stored parts in their order; null for all. Numbers count from 0 as in the outline. `firstPart` is the stored
 * number of the first one.
 */
export async function fetchParts(
  sql: Sql,
  domainId: number,
  uuid: string,
  parts: readonly number[] | null,
  firstPart: number,
): Promise<Uint8Array[]> {
  const rows = await sql.rows(
    PACKED,
    `select packed from apply_changes
     where domain_id = $1 and apply_uuid = $2 and part >= $4 and ($3::integer[] is null or part = any ($3::integer[])) order by part`,
    [domainId, uuid, parts?.map((part) => String(part + firstPart)) ?? null, firstPart],
  )
  return rows.map(({ packed }) => packed)
}
