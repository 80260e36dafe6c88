import { decodeChunk, decodeChunkTimes, type GeneratedColumns } from '../../datapoints/chunks/chunk.ts'
import type { ValueKind } from '../../records/values/value.ts'
import { decodeDirectory } from '../../datapoints/segments/directory.ts'
import type { SegmentPart } from '../../datapoints/segments/point-runs.ts'
import { decodeSegment, type Segment } from '../../datapoints/segments/segment.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../lib/errors.ts'

/** Stored points cannot be decoded, because a disk, copy or person changed them. Clients see the message, too. */
export class DamagedPoints extends HoldfastError {
  constructor(what: string, cause?: unknown) {
    super('INTERNAL', what, { cause })
  }
}

interface ChunkPlace {
  readonly seriesId: number
  /** The time of the chunk's first point; left out if it is not known. */
  readonly t0?: number
}

/** Decodes the points of a chunk. */
export function decodeStored(place: ChunkPlace, bytes: Uint8Array, kind: ValueKind): GeneratedColumns {
  return ofChunk(place, () => decodeChunk(bytes, kind))
}

/** Decodes only the times of a chunk. */
export function decodeStoredTimes(place: ChunkPlace, bytes: Uint8Array): Float64Array {
  return ofChunk(place, () => decodeChunkTimes(bytes))
}

function ofChunk<T>({ seriesId, t0 }: ChunkPlace, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    const since = t0 === undefined ? '' : `, from ${timestampText(t0)} on`
    throw damaged(`a chunk of series ${seriesId}${since}`, error)
  }
}

/** Decodes the list of the series in a segment. */
export function decodeStoredDirectory(
  segment: Pick<Segment, 'series'>,
  place: string,
): ReturnType<typeof decodeDirectory> {
  try {
    return decodeDirectory(segment.series)
  } catch (error) {
    throw damaged(`a segment ${place}`, error)
  }
}

/** Decodes the points of some or all series of a segment. */
export function decodeStoredSegment(
  segment: Segment,
  wanted?: Pick<ReadonlySet<number>, 'has'>,
  place?: string,
): SegmentPart[] {
  try {
    return decodeSegment(segment, wanted)
  } catch (error) {
    const of = place ?? `with points of ${seriesText(wanted instanceof Set ? wanted : undefined)}`
    throw damaged(`a segment ${of}`, error)
  }
}

function seriesText(wanted: ReadonlySet<number> | undefined): string {
  const [first, ...others] = [...(wanted ?? [])].sort((a, b) => a - b)
  if (first === undefined) return 'several series'
  return others.length === 0 ? `series ${first}` : `the series ${first} to ${others.at(-1)}, or some of them`
}

/** The reason tells how to repair the data. */
function damaged(what: string, cause: unknown): DamagedPoints {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DamagedPoints(`${what} cannot be read: ${reason}. Everything else can be read`, cause)
}
