import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  rangeSlices,
  type Slice,
  type SliceStart,
} from '../../../../src/platform/datapoints/reading/stored/range-slices.ts'

const SOME_STARTS = fc.array(
  fc.record({ t0: fc.integer({ min: -50, max: 150 }), count: fc.integer({ min: 1, max: 40 }) }),
)

async function slicesOf(starts: readonly SliceStart[], isNewestFirst: boolean, points: number): Promise<Slice[]> {
  const inOrder = starts.toSorted((a, b) => (isNewestFirst ? b.t0 - a.t0 : a.t0 - b.t0))
  async function* given() {
    yield* inOrder
  }
  const slices: Slice[] = []
  for await (const slice of rangeSlices({ from: 0, to: 100 }, isNewestFirst, points, given())) slices.push(slice)
  return slices
}

it.each([true, false])('slices cover the range once, newest first: %s', async (isNewestFirst) => {
  await fc.assert(
    fc.asyncProperty(SOME_STARTS, fc.integer({ min: 1, max: 100 }), async (starts, points) => {
      const slices = await slicesOf(starts, isNewestFirst, points)
      const ascending = isNewestFirst ? slices.toReversed() : slices
      expect([ascending[0]?.from, ascending.at(-1)?.to]).toStrictEqual([0, 100])
      for (const [index, { from, to }] of ascending.entries()) {
        expect(to).toBeGreaterThan(from)
        expect(to).toBe(ascending[index + 1]?.from ?? 100)
      }
    }),
  )
})

it('a slice ends when it has enough points, where a chunk begins', async () => {
  const starts = [0, 10, 20, 30, 40].map((t0) => ({ t0, count: 5 }))
  expect(await slicesOf(starts, false, 10)).toStrictEqual([
    { from: 0, to: 20 },
    { from: 20, to: 40 },
    { from: 40, to: 100 },
  ])
  expect(await slicesOf(starts, true, 10)).toStrictEqual([
    { from: 30, to: 100 },
    { from: 10, to: 30 },
    { from: 0, to: 10 },
  ])
})

it('without a chunk the range is one slice', async () => {
  expect(await slicesOf([], true, 10)).toStrictEqual([{ from: 0, to: 100 }])
})
