import { readRests, writeRests } from './rests.ts'
import { damaged, type BitReader, type BitWriter } from './bits.ts'
import { estimateBits } from './estimate-bits.ts'
import { foretell, HEADS, MOST_WHOLE, restore, TRANSFORMS, type Transform } from './transforms.ts'
import { Memory } from './memory.ts'

// A column of whole numbers from -2^50 to 2^50, which everything in a chunk becomes that is not text.

const memory = new Memory()
const best = new Memory()

export function writeWholeNumbers(writer: BitWriter, numbers: Float64Array): void {
  const { length } = numbers
  if (length === 0) return
  refuseLarge(numbers)
  const { transform, rests } = chooseTransform(numbers)
  const heads = HEADS[transform]
  writer.bits(TRANSFORMS.indexOf(transform), 2)
  if (heads > 0) writer.signed(numbers[0]!)
  if (heads > 1) writer.signed(numbers[transform === 'line' ? length - 1 : 1]! - numbers[0]!)
  writeRests(writer, rests)
}

function refuseLarge(numbers: Float64Array): void {
  for (let index = 0; index < numbers.length; index++)
    if (!(Math.abs(numbers[index]!) <= MOST_WHOLE))
      throw new RangeError(`a chunk cannot hold the number ${numbers[index]}; 2^50 is the most`)
}

/** The transform that leaves least. */
function chooseTransform(numbers: Float64Array): { readonly transform: Transform; readonly rests: Float64Array } {
  let chosen: Transform = 'none'
  let least = Infinity
  for (const transform of TRANSFORMS) {
    if (numbers.length < 2 * HEADS[transform]) break
    const rests = memory.take(numbers.length - HEADS[transform])
    foretell(numbers, transform, rests)
    const bits = estimateBits(rests)
    if (bits >= least) continue
    ;[chosen, least] = [transform, bits]
    if (bits === 0) break
  }
  const rests = best.take(numbers.length - HEADS[chosen])
  foretell(numbers, chosen, rests)
  return { transform: chosen, rests }
}

export function readWholeNumbers(reader: BitReader, count: number): Float64Array {
  const numbers = new Float64Array(count)
  if (count === 0) return numbers
  const transform = TRANSFORMS[reader.bits(2)]!
  const heads = HEADS[transform]
  if (heads > count) throw damaged(`a column of ${count} begins with ${heads} numbers`)
  if (heads > 0) numbers[0] = reader.signed()
  if (heads > 1) numbers[1] = numbers[0]! + reader.signed()
  readRests(reader, numbers, heads)
  restore(numbers, transform)
  for (let index = 0; index < count; index++)
    if (!(Math.abs(numbers[index]!) <= MOST_WHOLE)) throw damaged(`it holds the number ${numbers[index]}`)
  return numbers
}
