import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { BITS_BELOW_SHARD, KEYS_OF_DOMAIN, SHARDS, shardKeyOfSeries } from '../../src/lib/shard-key.ts'

const FIRST = 2 ** BITS_BELOW_SHARD

it('a series of a domain that is not spread has the number of its domain', () => {
  expect([1, 255, FIRST - 1].map((id) => shardKeyOfSeries(7, id))).toStrictEqual([7, 7, 7])
})

it('a series number that begins with a shard has the key of this shard', () => {
  const ids = [FIRST, FIRST + 9, SHARDS * FIRST, (SHARDS + 1) * FIRST - 1]
  expect(ids.map((id) => shardKeyOfSeries(7, id))).toStrictEqual([-14_337, -14_337, -15_360, -15_360])
  expect(ids.every(Number.isSafeInteger)).toBe(true)
})

it('no two domains have a key in common', () => {
  expect(KEYS_OF_DOMAIN).toBeGreaterThan(SHARDS)
  const place = fc.tuple(fc.integer({ min: 1, max: 1_000_000_000 }), fc.nat({ max: SHARDS }))
  fc.assert(
    fc.property(place, place, ([domain, shard], [other, otherShard]) => {
      const keys = [shardKeyOfSeries(domain, shard * FIRST), shardKeyOfSeries(other, otherShard * FIRST)]
      expect(keys[0] === keys[1]).toBe(domain === other && shard === otherShard)
      expect(keys.every(Number.isSafeInteger)).toBe(true)
    }),
    {
      examples: [
        [
          [1, 1],
          [2, 0],
        ],
        [
          [1, SHARDS],
          [2, 1],
        ],
        [
          [3, 5],
          [3, 5],
        ],
      ],
    },
  )
})
