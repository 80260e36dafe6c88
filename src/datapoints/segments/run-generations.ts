import { damaged, type VarintReader, type VarintWriter } from './varints.ts'

// The generations of a segment. If they are few, the segment lists them, and each point has an index into the list.
// Otherwise each point has the distance of its generation from the first one.

export interface Generations {
  /** All generations in ascending order if they are few; otherwise only the first one. */
  readonly numbers: Float64Array
  readonly areListed: boolean
}

/** Generations, with the index or the distance of each point. */
export interface PlacedGenerations extends Generations {
  readonly places: Float64Array
}

/** A list pays off if a generation has this many points on average. */
const POINTS_OF_LISTED = 4

export function placeGenerations(generation: Float64Array | number): PlacedGenerations {
  if (typeof generation === 'number')
    return { numbers: Float64Array.of(generation), areListed: true, places: new Float64Array() }
  const distinct = new Set(generation)
  const sorted = Float64Array.from(distinct).sort()
  const areListed = distinct.size <= 1 || distinct.size * POINTS_OF_LISTED <= generation.length
  const [first = 0] = sorted
  const known = new Map(Array.from(sorted, (number, place) => [number, place]))
  const places = generation.map((number) => (areListed ? (known.get(number) ?? 0) : number - first))
  return { numbers: areListed ? sorted : sorted.subarray(0, 1), areListed, places }
}

/** Tells whether all points have one generation. It is then not repeated for the points. */
export function isOne({ numbers, areListed }: Generations): boolean {
  return areListed && numbers.length <= 1
}

export function writeGenerations(writer: VarintWriter, { numbers, areListed }: Generations): void {
  writer.unsigned(areListed ? numbers.length : 0)
  let last = 0
  for (const number of numbers) {
    writer.unsigned(number - last)
    last = number
  }
}

export function readGenerations(reader: VarintReader): Generations {
  const listed = reader.unsigned()
  if (!(listed <= reader.left)) throw damaged('it has fewer generations than it says')
  const numbers = new Float64Array(Math.max(1, listed))
  let last = 0
  for (let index = 0; index < numbers.length; index++) numbers[index] = last += reader.unsigned()
  return { numbers, areListed: listed > 0 }
}

export function writeRunGenerations(
  writer: VarintWriter,
  all: PlacedGenerations,
  isRegular: boolean,
  start: number,
  end: number,
): void {
  if (isOne(all)) return
  let last = 0
  const written = isRegular ? start + 2 : end
  for (let index = start; index < written; index++) {
    const place = all.places[index] ?? 0
    writer.signed(place - last)
    last = place
  }
}

/** Fills the generations of a run. Only for segments with several generations. */
export function readRunGenerations(
  reader: VarintReader,
  all: Generations,
  isRegular: boolean,
  generation: Float64Array,
): void {
  const [first = 0] = all.numbers
  let [place, step] = [0, 0]
  for (let index = 0; index < generation.length; index++) {
    if (!isRegular || index < 2) step = reader.signed()
    place += step
    const number = all.areListed ? all.numbers[place] : first + place
    if (number === undefined) throw damaged('it has fewer generations than it says')
    generation[index] = number
  }
}

export function skipRunGenerations(reader: VarintReader, all: Generations, isRegular: boolean, count: number): void {
  if (isOne(all)) return
  const written = isRegular ? 2 : count
  for (let index = 0; index < written; index++) reader.unsigned()
}
