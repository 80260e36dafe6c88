import { expect, it, vi } from 'vitest'
import { compileRules } from '../../../src/datapoints/rules/compile-rules.ts'
import type { StoredFlush } from '../../../src/platform/changes/flush-reader.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { partsOf } from '../../../src/platform/changes/shown-flushes.ts'

const CHARACTERISTIC = { dataType: 'FLOAT' }
const SERIES = {
  id: 1,
  kind: 'float',
  systemUuid: 's',
  unitUuid: null,
  componentUuid: 'c',
  serviceUuid: 'v',
  serviceKey: 'room',
  characteristicUuid: 't',
  characteristicKey: 'temperature',
  characteristic: CHARACTERISTIC,
  rules: compileRules(CHARACTERISTIC),
} as const

function flush(generation: number, count = 1): StoredFlush {
  const columns = {
    at: Float64Array.from({ length: count }, (_, at) => at),
    values: new Float64Array(count).fill(generation),
  }
  return { generation, count, runs: [{ series: SERIES, columns }] }
}

it('what goes together says up to which flush it is whole', () => {
  const delivery = { items: [flush(3, 2), flush(5, 3)], before: new SeenFlushes(2), after: new SeenFlushes(5, [4]) }
  const parts = [...partsOf(delivery, 2)].map(({ points, position: { through, missing } }) => ({
    values: points.map(({ value }) => value),
    through,
    missing,
  }))
  expect(parts).toStrictEqual([
    { values: [3, 3], through: 3, missing: [] },
    { values: [5, 5], through: 3, missing: [] },
    { values: [5], through: 5, missing: [4] },
  ])
})

it('a long list of what was missing is looked through for a part, and not for each flush', () => {
  const missing = Array.from({ length: 5_000 }, (_, index) => index + 1)
  const until = vi.spyOn(SeenFlushes.prototype, 'until')
  const delivery = {
    items: missing.map((one) => flush(one)),
    before: new SeenFlushes(9_000, missing),
    after: new SeenFlushes(9_000),
  }
  expect([...partsOf(delivery, 1_000)].map(({ points }) => points.length)).toStrictEqual([
    1_000, 1_000, 1_000, 1_000, 1_000,
  ])
  expect(until.mock.calls.length).toBeLessThanOrEqual(5)
  until.mockRestore()
})
