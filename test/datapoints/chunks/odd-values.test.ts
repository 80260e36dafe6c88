import { describe, expect, it } from 'vitest'
import { MINUTE, regularPoints, VALUE_SETS } from '../../support/value-sets.ts'
import { decodeChunk, encodeChunk } from '../../../src/datapoints/chunks/chunk.ts'

function bytesOf(values: Float64Array): Uint8Array {
  return encodeChunk(regularPoints(values), 'float', { compress: true })
}

const ODD = [-0, 0.1 + 0.2, 1 / 3, Number.NaN, -Infinity, 5e-324, Number.MAX_VALUE, 1e-7 + 1e7]

/** Doubles that fill all of their bits differ from each other as much as from an odd one. */
const DECIMALS = VALUE_SETS.filter(({ digits }) => !Number.isNaN(digits))

/** Encodes and decodes; the sizes of all of them. */
function sizesOf(all: readonly Float64Array[]): number[] {
  return all.map((values) => {
    const bytes = bytesOf(values)
    const read = decodeChunk(bytes, 'float').values
    // As bytes: -0 equals 0.
    expect(Buffer.from((read as Float64Array).buffer)).toStrictEqual(Buffer.from(values.buffer))
    return bytes.length
  })
}

describe.each(DECIMALS)('one odd value costs 14 bytes at most: $name', ({ make }) => {
  it('at any place of an hour', () => {
    const values = make(60)
    const odd = ODD.flatMap((value) => Array.from(values, (_, place) => values.with(place, value)))
    expect(Math.max(...sizesOf(odd)) - bytesOf(values).length).toBeLessThanOrEqual(14)
  })

  it('in the middle of a day', () => {
    const values = make(1_440)
    const odd = ODD.map((value) => values.with(700, value))
    expect(Math.max(...sizesOf(odd)) - bytesOf(values).length).toBeLessThanOrEqual(14)
  })
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
    expect(bytes.length - encode(values).length).toBeLessThanOrEqual(18)
    expect(decodeChunk(bytes, 'integer').values).toStrictEqual(odd)
  }
})
