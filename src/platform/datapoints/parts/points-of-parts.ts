import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { hasErased, withoutErased } from '../../../datapoints/chunks/erased.ts'
import { lowerBound } from '../../../datapoints/chunks/point-columns.ts'
import { joinGenerated, mergePoints, unionOfTimes } from '../../../datapoints/chunks/merge-points.ts'
import { slicePoints } from '../../../datapoints/segments/divide-points.ts'
import type { Sql } from '../../../db/sql.ts'
import { groupsOfBytes } from '../../../lib/groups-of-bytes.ts'
import { fetchPointsOfChunks } from '../../../store/datapoints/points/stored-values.ts'
import { decodeStored, decodeStoredTimes } from '../damaged-points.ts'
import type { SeriesOf } from './other-series.ts'
import type { FoundChunk, StoredPart } from './stored-parts.ts'

// All chunks of a month may overlap. They are decoded one after the other, and the points before the next chunk are
// complete. So memory does not grow with the number of chunks.

type Part = StoredPart<SeriesOf, FoundChunk>
type PackedPoints = AsyncIterator<Uint8Array, void>

/** The number of chunks whose points are fetched at once and are in memory together. It is lower for long chunks. */
const AT_ONCE = { most: 40, bytes: 16_777_216 } as const

/** The points of the chunks of these parts, as stored, in their order. `piecesOf` and `timesOf` read them. */
export async function* packedPoints(
  sql: Sql,
  domainId: number,
  parts: readonly Part[],
): AsyncGenerator<Uint8Array, void> {
  const chunks = parts.flatMap((part) => part.chunks)
  for (const some of groupsOfBytes(chunks, AT_ONCE)) {
    const unread = some.filter(({ points }) => points === null || points === undefined)
    const read = (await fetchPointsOfChunks(sql, domainId, unread)).values()
    for (const { points } of some) yield points ?? read.next().value ?? new Uint8Array()
  }
}

/** Yields the points of a part piece by piece, each time once. Overwritten and erased points are left out. */
export async function* piecesOf(part: Part, packed: PackedPoints): AsyncGenerator<GeneratedColumns> {
  for await (const pieces of overlapping(part, part.others, packed, WITH_VALUES))
    yield withoutErased(mergePoints(joinGenerated(pieces)), part.origin.erased)
}

/** Yields the times of the points of a part piece by piece, each time once. */
export async function* timesOf(part: Part, packed: PackedPoints): AsyncGenerator<Float64Array> {
  if (hasErased(part.origin.erased)) {
    for await (const { at } of piecesOf(part, packed)) yield at
    return
  }
  for await (const pieces of overlapping<Times>(part, part.others, packed, TIMES_ALONE))
    yield pieces.map(({ at }) => at).reduce(unionOfTimes)
}

type Times = Pick<GeneratedColumns, 'at'>

interface Reading<Points extends Times> {
  decode(chunk: FoundChunk, bytes: Uint8Array): Points
  slice(points: Points, start: number, end: number): Points
}

const WITH_VALUES: Reading<GeneratedColumns> = {
  decode: (chunk, bytes) => decodeStored(chunk, bytes, chunk.kind),
  slice: slicePoints,
}

const TIMES_ALONE: Reading<Times> = {
  decode: (chunk, bytes) => ({ at: decodeStoredTimes(chunk, bytes) }),
  slice: ({ at }, start, end) => ({ at: at.subarray(start, end) }),
}

/**
 * Yields the points between the beginnings of each chunk and the next one, from all chunks and from points outside of
 * chunks.
 */
async function* overlapping<Points extends Times>(
  { chunks }: Part,
  others: Points | null,
  packed: PackedPoints,
  { decode, slice }: Reading<Points>,
): AsyncGenerator<readonly Points[]> {
  let open: readonly Points[] = others === null ? [] : [others]
  for (let index = 0; index < Math.max(1, chunks.length); index++) {
    const [chunk, next] = [chunks[index], chunks[index + 1]?.t0 ?? Infinity]
    if (chunk !== undefined) open = [...open, decode(chunk, await nextOf(packed))]
    const ends = open.map(({ at }) => lowerBound(at, next))
    const pieces = open.map((points, run) => slice(points, 0, ends[run] ?? 0)).filter(({ at }) => at.length > 0)
    if (pieces.length > 0) yield pieces
    open = open.map((points, run) => slice(points, ends[run] ?? 0, points.at.length)).filter(({ at }) => at.length > 0)
  }
}

async function nextOf(packed: PackedPoints): Promise<Uint8Array> {
  const { value } = await packed.next()
  if (value === undefined) throw new Error('the points of a chunk were read in the wrong order')
  return value
}
