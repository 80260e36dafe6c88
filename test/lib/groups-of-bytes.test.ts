import { expect, it } from 'vitest'
import { groupsOfBytes } from '../../src/lib/groups-of-bytes.ts'

const sizes = (all: readonly number[], most: number, bytes: number) =>
  [
    ...groupsOfBytes(
      all.map((size) => ({ bytes: size })),
      { most, bytes },
    ),
  ].map((group) => group.map((one) => one.bytes))

it('groups end with the thing that reaches the bytes, or with the most things', () => {
  expect(sizes([], 2, 10)).toStrictEqual([])
  expect(sizes([4, 4, 4, 4], 10, 10)).toStrictEqual([[4, 4, 4], [4]])
  expect(sizes([1, 1, 1, 1, 1], 2, 10)).toStrictEqual([[1, 1], [1, 1], [1]])
  expect(sizes([50, 1, 50], 10, 10)).toStrictEqual([[50], [1, 50]])
})
