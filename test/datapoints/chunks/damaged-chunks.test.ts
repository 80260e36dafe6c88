import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VALUE_SETS } from '../../support/value-sets.ts'
import type { ChunkValues } from '../../../src/datapoints/codec/chunk-values.ts'
import { decodeChunk, encodeChunk, type GeneratedColumns } from '../../../src/datapoints/chunks/chunk.ts'
import { KINDS } from '../../../src/datapoints/chunks/flush.ts'
import type { ValueKind } from '../../../src/records/values/value.ts'
import { runsOf } from '../../support/runs.ts'

const COUNT = 200

function chunkOf(kind: ValueKind, values: ChunkValues): Uint8Array {
  const at = Float64Array.from({ length: COUNT }, (_, index) => index * 60_000_000 + ((index * 7_919) % 20) * 1_000)
  const generation = Float64Array.from(at, (_, index) => 1_000 + index * 60 + ((index * 31) % 7))
  return encodeChunk({ at, generation, values }, kind, { compress: true })
}

const ones = Array.from({ length: COUNT }, (_, index) => index)
const CHUNKS: readonly (readonly [ValueKind, string, Uint8Array])[] = [
  ...VALUE_SETS.map(({ name, make }) => ['float', name, chunkOf('float', make(COUNT))] as const),
  [
    'integer',
    'small ones',
    chunkOf(
      'integer',
      BigInt64Array.from(ones, (index) => BigInt(index * index)),
    ),
  ],
  [
    'integer',
    'large ones',
    chunkOf(
      'integer',
      BigInt64Array.from(ones, (index) => 7n ** 22n - BigInt(index) ** 7n),
    ),
  ],
  [
    'boolean',
    'by turns',
    chunkOf(
      'boolean',
      Uint8Array.from(ones, (index) => index & 1),
    ),
  ],
  [
    'text',
    'few',
    chunkOf(
      'text',
      ones.map((index) => ['on', 'off', 'heating'][index % 3] ?? ''),
    ),
  ],
  [
    'text',
    'many',
    chunkOf(
      'text',
      ones.map((index) => `{"level":${index * 37},"unit":"a"}`),
    ),
  ],
]

const REFUSAL = /^a stored chunk is damaged: .+; restore|^a chunk of the form \d+ is unknown/

/** What is wrong with a chunk, by its refusal, or by the columns that it gave; null if nothing is. */
function findFault(bytes: Uint8Array, kind: ValueKind): string | null {
  let points: GeneratedColumns
  try {
    points = decodeChunk(bytes, kind)
  } catch (error) {
    if (error instanceof RangeError && REFUSAL.test(error.message)) return error.message
    throw error
  }
  if (points.values.length !== points.at.length) throw new Error('the columns differ in length')
  if (points.at.some((time, index) => time <= (points.at[index - 1] ?? -Infinity))) throw new Error('times descend')
  return null
}

const runs = { numRuns: runsOf('LAW_RUNS', { sample: 100, long: 5_000 }) }

describe.each(CHUNKS)('a chunk of %s, %s', (kind, _, chunk) => {
  it('is refused wherever it is cut', () => {
    for (let size = 1; size < chunk.length; size++)
      expect(findFault(chunk.subarray(0, size), kind)).toContain('damaged')
  })

  it('is refused with more bytes behind it', () => {
    expect(findFault(Uint8Array.of(...chunk, 0), kind)).toContain('1 bytes follow its end')
  })

  it('is refused or read, with any bits changed', () => {
    const change = fc.tuple(fc.nat(chunk.length * 8 - 1), fc.nat(chunk.length * 8 - 1))
    fc.assert(
      fc.property(change, (bits) => {
        const changed = chunk.slice()
        for (const bit of new Set(bits)) changed[bit >>> 3] = (changed[bit >>> 3] ?? 0) ^ (1 << (bit & 7))
        expect(() => findFault(changed, kind)).not.toThrow()
      }),
      runs,
    )
  })
})

it('bytes of anything are refused or read', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Uint8Array.of(3, ...all))
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), bytes, (kind, all) => {
      expect(() => findFault(all, kind)).not.toThrow()
    }),
    runs,
  )
})

it('a chunk that names more points than any has takes no memory', () => {
  // 2^40 points: a length of 41 bits, whose length has 6 bits, and its other 40 bits.
  const bits = ['11000000', '000001', '01010', '0'.repeat(40)].join('').padEnd(64, '0')
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) =>
    Number.parseInt([...byte].toReversed().join(''), 2),
  )
  expect(findFault(bytes, 'float')).toContain('it names 1099511627776 points, and 1048576 are the most')
})

it('a text that would inflate to more than it says is refused', () => {
  const long = encodeChunk({ at: Float64Array.of(1), generation: 1, values: ['x'.repeat(100_000)] }, 'text', {
    compress: true,
  })
  const short = encodeChunk({ at: Float64Array.of(1), generation: 1, values: ['x'.repeat(65_536)] }, 'text', {
    compress: true,
  })
  const differs = long.findIndex((byte, index) => byte !== short[index])
  const changed = long.slice()
  changed[differs] = short[differs] ?? 0
  expect(findFault(changed, 'text')).toContain('damaged')
})

function encoding(at: readonly number[], values: ChunkValues, kind: ValueKind): () => Uint8Array {
  return () => encodeChunk({ at: Float64Array.from(at), generation: 1, values }, kind, { compress: true })
}

it('what a chunk cannot hold is refused, not bent', () => {
  expect(encoding([0, 2 ** 51 + 1], Float64Array.of(1, 2), 'float')).toThrow('2^50 is the most')
  expect(encoding([1], ['half of a pair: \ud800'], 'text')).toThrow('half of a surrogate pair')
  expect(encoding([1], BigInt64Array.of(1n), 'float')).toThrow('values of the kind float cannot be bigints')
  const many = new Float64Array(2 ** 20 + 1)
  expect(() => encodeChunk({ at: many, generation: 1, values: many }, 'float', { compress: true })).toThrow(
    'a chunk of 1048577 points is too large',
  )
})
