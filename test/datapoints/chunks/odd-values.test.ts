import { expect, it } from 'vitest'
import { VALUE_SETS } from '../../../bench/codec-sets.ts'
import { decodeChunk, encodeChunk } from '../../../src/datapoints/chunks/chunk.ts'

const MINUTE = 60_000_000

/** Minutes that all came at once, so that what a chunk takes is what its values take. */
function bytesOf(values: Float64Array): Uint8Array {
  const at = Float64Array.from(values, (_, index) => 1_760_000_000_000_000 + index * MINUTE)
  return encodeChunk({ at, generation: 1, values }, 'float', { compress: true })
}

const ODD = [-0, 0.1 + 0.2, 1 / 3, Number.NaN, -Infinity, 5e-324, Number.MAX_VALUE, 1e-7 + 1e7]

/** Doubles that fill all of their bits differ from each other as much as from an odd one. */
const DECIMALS = VALUE_SETS.filter(({ digits }) => !Number.isNaN(digits))

it.each(DECIMALS)('one odd value at any place costs 14 bytes at most: $name', ({ make }) => {
  const values = make(60)
  const usual = bytesOf(values).length
  for (const odd of ODD) {
    for (let place = 0; place < values.length; place++) {
      const own = values.with(place, odd)
      const bytes = bytesOf(own)
      expect(bytes.length - usual, `${odd} at ${place}`).toBeLessThanOrEqual(14)
      const read = decodeChunk(bytes, 'float').values
      // As bytes: -0 equals 0.
      expect(Buffer.from((read as Float64Array).buffer)).toStrictEqual(Buffer.from(own.buffer))
    }
  }
})

it.each(DECIMALS)('one odd value makes a day no larger by more than 14 bytes: $name', ({ make }) => {
  const values = make(1_440)
  const usual = bytesOf(values).length
  for (const odd of ODD) expect(bytesOf(values.with(700, odd)).length - usual, String(odd)).toBeLessThanOrEqual(14)
})

it('one double among those of 32 bits costs 14 bytes at most', () => {
  const values = Float64Array.from({ length: 600 }, (_, index) => Math.fround(20 + Math.sin(index / 50)))
  const usual = bytesOf(values).length
  expect(usual / 600).toBeLessThan(3.2)
  expect(bytesOf(values.with(300, 1 / 3)).length - usual).toBeLessThanOrEqual(14)
})

it('a whole number that takes all 64 bits costs others nothing', () => {
  const at = Float64Array.from({ length: 600 }, (_, index) => index * MINUTE)
  const encode = (values: BigInt64Array) => encodeChunk({ at, generation: 1, values }, 'integer', { compress: true })
  const values = BigInt64Array.from(at, (_, index) => BigInt((index * 37) % 11))
  for (const place of [0, 1, 300, 599]) {
    const odd = values.with(place, -(2n ** 63n))
    const bytes = encode(odd)
    expect(bytes.length - encode(values).length).toBeLessThanOrEqual(14)
    expect(decodeChunk(bytes, 'integer').values).toStrictEqual(odd)
  }
})
