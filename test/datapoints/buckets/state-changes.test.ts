import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellAt, sliceColumns, type Columns } from '../../../src/datapoints/chunks/point-columns.ts'
import { StateChanges, type Run, type RunRange } from '../../../src/datapoints/buckets/state-changes.ts'
import { someColumns } from '../some-columns.ts'

const RANGE: RunRange = { from: 0, to: 100, limit: 1000 }

function runs(columns: Columns, range: RunRange = RANGE): Run[] {
  const changes = new StateChanges(range)
  changes.add(columns)
  return changes.finish()
}

function switched(...points: readonly (readonly [number, 0 | 1])[]): Columns {
  return { at: Float64Array.from(points, ([at]) => at), values: Uint8Array.from(points, ([, value]) => value) }
}

it('points that say the same are one run', () => {
  expect(runs(switched([10, 1], [20, 1], [30, 0]))).toStrictEqual([
    { from: 10, to: 30, value: true, count: 2 },
    { from: 30, to: 100, value: false, count: 1 },
  ])
})

describe('the state before the range', () => {
  const range = { ...RANGE, before: { at: -50, value: true } }

  it('holds from its beginning', () => {
    expect(runs(switched([40, 0]), range)).toStrictEqual([
      { from: 0, to: 40, value: true, count: 0 },
      { from: 40, to: 100, value: false, count: 1 },
    ])
  })

  it('goes on with a point that says the same', () => {
    expect(runs(switched([40, 1]), range)).toStrictEqual([{ from: 0, to: 100, value: true, count: 1 }])
  })

  it('is gone where the range begins with a change', () => {
    expect(runs(switched([0, 0]), range)).toStrictEqual([{ from: 0, to: 100, value: false, count: 1 }])
  })

  it('is all there is without a point', () => {
    expect(runs(switched(), range)).toStrictEqual([{ from: 0, to: 100, value: true, count: 0 }])
  })
})

describe.each(['boolean', 'text'] as const)('%s values', (kind) => {
  it('runs follow each other, differ, and say at each moment what the last point said', () => {
    fc.assert(
      fc.property(someColumns(kind, 100), (columns) => {
        const list = runs(columns)
        for (const [index, { to, value }] of list.entries()) {
          expect(to).toBe(list[index + 1]?.from ?? 100)
          expect(value).not.toBe(list[index + 1]?.value)
        }
        columns.at.forEach((at, index) => {
          expect(list.find(({ from, to }) => from <= at && at < to)?.value).toBe(cellAt(columns.values, index))
        })
        expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(columns.at.length)
      }),
    )
  })

  it('make the same runs wherever the series is cut', () => {
    fc.assert(
      fc.property(someColumns(kind, 100), fc.nat(40), (columns, cut) => {
        const changes = new StateChanges(RANGE)
        changes.add(sliceColumns(columns, 0, cut))
        changes.add(sliceColumns(columns, cut, columns.at.length))
        expect(changes.finish()).toStrictEqual(runs(columns))
      }),
    )
  })
})

describe('more changes than the limit', () => {
  it('count the memory of each state besides its text', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => String(index))
    const changes = new StateChanges({ from: 0, to: 10_000, limit: 1 })
    changes.add({ at: Float64Array.from(values, Number), values })
    expect(changes.characters).toBeGreaterThan(64_000)
    changes.finish()
    expect(changes.characters).toBeLessThan(100)
  })

  it('are shown as what held longest in each of as many stretches', () => {
    const columns = switched([1, 0], [2, 1], [3, 0])
    expect(runs(columns, { ...RANGE, limit: 3 })).toHaveLength(3)
    const noisy = switched([0, 0], [10, 1], [12, 0], [60, 1], [97, 0], [98, 1])
    expect(runs(noisy, { ...RANGE, limit: 4 })).toStrictEqual([
      { from: 0, to: 50, value: false, count: 3 },
      { from: 50, to: 100, value: true, count: 3 },
    ])
  })

  it('lose no time and no point, whatever they are', () => {
    fc.assert(
      fc.property(someColumns('text', 1_000), fc.integer({ min: 1, max: 20 }), (columns, limit) => {
        const range = { from: 0, to: 1_000, limit }
        const all = runs(columns, { ...range, limit: 10_000 })
        const list = runs(columns, range)
        expect(list.length).toBeLessThanOrEqual(limit)
        expect([list[0]?.from, list.at(-1)?.to]).toStrictEqual([all[0]?.from, all.at(-1)?.to])
        for (const [index, { to }] of list.entries()) expect(to).toBe(list[index + 1]?.from ?? 1_000)
        expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(columns.at.length)
      }),
    )
  })
})
