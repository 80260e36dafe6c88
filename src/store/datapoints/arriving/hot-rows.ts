import type { PackedFlush } from '../../../datapoints/segments/packed-flush.ts'
import { INT4, INT8, nullable, TEXT_ARRAY } from '../../../db/columns.ts'
import { DATABASE_SETTING } from '../../../db/database-identity.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { partsOf } from '../../model/model-versions.ts'
import { bufferTable } from '../packed/partitions.ts'

/** The versions of the model and of access with which the points of a domain were checked. */
interface CheckedDomain {
  readonly domainId: number
  readonly modelVersion: number
  readonly identity: string
  /** Null for a sender with rights that cannot be revoked. */
  readonly accessVersion: number | null
}

export interface Versions {
  /**
   * The version in the form of `modelOf`. `locked` means that the model is being changed, and that no point of the
   * domain was stored.
   */
  readonly model: string
  readonly accessVersion: number
}

/** Writes the version of a model, and the start of the node where it is. */
export function modelOf({ modelVersion, identity }: Pick<CheckedDomain, 'modelVersion' | 'identity'>): string {
  return `${modelVersion} ${partsOf(identity).node}`
}

/** A number that a database session drew for a flush before the flush was sent. */
export interface Ticket {
  readonly number: number
  readonly session: number
}

/** A batch that was sent with an Idempotency-Key. */
export interface KeyedBatch {
  readonly domainId: number
  readonly actor: string
  readonly key: string
  /** The digest of the batch, to detect a different batch with the same key. */
  readonly digest: Uint8Array
  /** The answer to a retry. */
  readonly answer: string
}

/** The outcome of a flush in the database. */
export type Draw =
  | {
      /** The generation of the flush. It is higher than the generation of every flush that was acknowledged before. */
      readonly generation: number
      /** The current versions of each domain. */
      readonly versions: ReadonlyMap<number, Versions>
    }
  /** Nothing was stored, because another process drew a number meanwhile. The flush may be stored with this ticket. */
  | { readonly ticket: Ticket }
  /**
   * Nothing was stored, because not all keys are new. `keys` has the state of each key, in the order of the batches.
   */
  | { readonly keys: readonly KeyState[]; readonly versions: ReadonlyMap<number, Versions> }

/** `locked`: another transaction is storing a batch with this key. */
type KeyState = 'new' | 'known' | 'locked'

/** A buffer, and the identity of its database. */
interface BufferOf {
  readonly buffer: number
  readonly identity: string
}

export interface UnsentFlush extends PackedFlush {
  /** The domains of the flush's points, in ascending order. */
  readonly domains: readonly CheckedDomain[]
  readonly keyed: readonly KeyedBatch[]
  /** The ticket of the flush, or the highest number that is known to be drawn. */
  readonly after: Ticket | number
}

const STORED = {
  number: nullable(INT8),
  drawnBy: nullable(INT4),
  models: TEXT_ARRAY,
  accesses: TEXT_ARRAY,
  keyStates: nullable(TEXT_ARRAY),
}

/**
 * Stores a flush in a buffer, except for domains that were checked with versions other than the current ones. If the
 * connection is to another database, it stores nothing and returns null, because series have other numbers there.
 */
export async function storeFlush(
  database: Database,
  { buffer, identity }: BufferOf,
  { domains, keyed, after, pieces, body }: UnsentFlush,
): Promise<Draw | null> {
  const places = new Map(domains.map(({ domainId }, index) => [domainId, index + 1]))
  const placeOf = ({ domainId }: { readonly domainId: number }): number => places.get(domainId) ?? 0
  const numbers = pieces.flatMap((piece) => [
    placeOf(piece),
    piece.firstSeries,
    piece.lastSeries,
    piece.t0,
    piece.t1,
    piece.count,
    piece.at,
    piece.seriesBytes,
    piece.pointsBytes,
  ])
  const [row] = await database.rowsApart(
    STORED,
    `select number, drawn_by as "drawnBy", models, accesses, key_states as "keyStates"
     from store_flush($1, $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6, $7, $8, $9::text[])
     where current_setting('${DATABASE_SETTING}') = $10`,
    [
      buffer,
      domains.map(({ domainId }) => String(domainId)),
      domains.map(modelOf),
      domains.map(({ accessVersion }) => (accessVersion === null ? 'any' : String(accessVersion))),
      numbers.map(String),
      body,
      typeof after === 'number' ? after : after.number,
      typeof after === 'number' ? null : after.session,
      keyed.length === 0 ? null : keyed.flatMap((one) => keyTexts(placeOf(one), one)),
      identity,
    ],
  )
  if (row === undefined) return null
  if (row.number !== null && row.drawnBy !== null) return { ticket: { number: row.number, session: row.drawnBy } }
  const versionsOf = (index: number): Versions => ({
    model: row.models[index] ?? '',
    accessVersion: Number(row.accesses[index]),
  })
  const versions = new Map(domains.map(({ domainId }, index) => [domainId, versionsOf(index)]))
  if (row.number !== null) return { generation: row.number, versions }
  return { keys: (row.keyStates ?? []).map((state) => (isKeyState(state) ? state : 'locked')), versions }
}

function keyTexts(place: number, { actor, key, digest, answer }: KeyedBatch): readonly string[] {
  const hex = Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('hex')
  return [String(place), actor, key, hex, answer]
}

const isKeyState = (state: string): state is KeyState => ['new', 'known', 'locked'].includes(state)

const TICKET = { number: INT8, session: INT4 }

/** Draws the number of a flush before its points are sent. Both use the same connection. */
export async function drawTicket(database: Database): Promise<Ticket> {
  const [row] = await database.rowsApart(
    TICKET,
    `select nextval('datapoint_generations') as number, pg_backend_pid() as session`,
  )
  if (row === undefined) throw new Error('a sequence gave no number')
  return row
}

const SEGMENTS = { count: INT4, firstGeneration: INT8 }

/** Returns the number of segments in a buffer and their lowest generation; 0 if there are none. */
export async function countSegments(sql: Sql, buffer: number): Promise<RowOf<typeof SEGMENTS>> {
  const [row] = await sql.rows(
    SEGMENTS,
    `select count(*)::integer as count, coalesce(min(generation), 0) as "firstGeneration" from ${bufferTable(buffer)}`,
  )
  return row ?? { count: 0, firstGeneration: 0 }
}
