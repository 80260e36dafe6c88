import { KINDS } from '../chunks/flush.ts'
import { decodeDirectory } from './directory.ts'
import type { SegmentPart } from './point-runs.ts'
import { isOne, readGenerations, readRunGenerations } from './run-generations.ts'
import { readFrame, readRunTimes } from './run-times.ts'
import { encodeSegment, REGULAR_GENERATIONS, REGULAR_TIMES, type SegmentRow } from './segment.ts'
import { slicePoints } from './divide-points.ts'
import { damaged, VarintReader } from './varints.ts'

/** Bytes of a slice. The first slice must hold everything that comes before the texts. */
const SLICE = 4_194_304
/** The maximum number of bytes that the length of a text takes. */
const LENGTH = 8

/** A segment with too many bytes of points to read at once. */
interface LongSegment {
  readonly series: Uint8Array
  /** The size of the segment's points in bytes. */
  readonly bytes: number
  /** Reads `size` bytes of the points, from the byte `from` on. */
  read(from: number, size: number): Promise<Uint8Array>
}

/**
 * Cuts a long segment into shorter ones, and reads it slice by slice. Earlier releases wrote 400 texts of any length
 * into one segment. A long segment always has a single run, because only a long run makes a segment long.
 */
export async function* cutSegment({ series, bytes, read }: LongSegment): AsyncGenerator<SegmentRow> {
  const { series: ids, kinds, counts, forms } = decodeDirectory(series)
  const [seriesId, count = 0, form = 0] = [ids[0] ?? 0, counts[0], forms[0]]
  const kind = KINDS[kinds[0] ?? 0]
  if (ids.length !== 1 || kind !== 'text' || count > bytes) throw damaged('it is longer than its content')
  const head = new VarintReader(await read(0, SLICE))
  const frame = readFrame(head)
  const generations = readGenerations(head)
  const at = new Float64Array(count)
  readRunTimes(head, frame, (form & REGULAR_TIMES) !== 0, at)
  const generation = isOne(generations) ? (generations.numbers[0] ?? 0) : new Float64Array(count)
  if (typeof generation !== 'number')
    readRunGenerations(head, generations, (form & REGULAR_GENERATIONS) !== 0, generation)
  const run = { seriesId, kind, points: { at, generation, values: [] } }
  let [place, done, size] = [head.position, 0, SLICE]
  while (done < count) {
    const slice = await read(place, size)
    const isLast = slice.length < size
    const { texts, used, needed } = wholeTexts(slice, count - done, isLast)
    if (texts.length > 0) yield encodeSegment([partOf(run, done, texts)])
    else if (isLast) throw damaged('it ends too early')
    place += used
    done += texts.length
    if (done < count && needed > bytes - place) throw damaged('it ends too early')
    size = Math.max(SLICE, needed)
  }
  if (place !== bytes) throw damaged('it continues after its end')
}

function partOf(run: SegmentPart, start: number, texts: string[]): SegmentPart {
  return { ...run, points: { ...slicePoints(run.points, start, start + texts.length), values: texts } }
}

/** Returns the complete texts of a slice, their bytes, and the bytes of the next text (0 if unknown). */
function wholeTexts(slice: Uint8Array, most: number, isLast: boolean) {
  const texts: string[] = []
  const end = isLast ? slice.length : slice.length - LENGTH
  let [used, needed] = [0, 0]
  while (texts.length < most && used < end) {
    const reader = new VarintReader(slice.subarray(used))
    const size = reader.unsigned()
    needed = reader.position + size
    if (size > reader.left) break
    texts.push(Buffer.from(reader.bytes(size)).toString())
    used += needed
    needed = 0
  }
  return { texts, used, needed }
}
