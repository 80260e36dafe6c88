import { expect, it, vi } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import type { StoredFlush } from '../../../src/platform/changes/flush-reader.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { flushOf, partsOf, weightOf } from '../../../src/platform/changes/shown-flushes.ts'
import { countCalls } from '../../support/count-calls.ts'

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
  const delivery = {
    items: [flush(3, 2), flush(5, 3)],
    before: new SeenFlushes(2),
    after: new SeenFlushes(5, [[4, 4]]),
  }
  const parts = [...partsOf(delivery, { items: 2, text: Infinity })].map(
    ({ points, position: { through, missing } }) => ({
      values: points.map(({ value }) => value),
      through,
      missing,
    }),
  )
  expect(parts).toStrictEqual([
    { values: [3, 3], through: 3, missing: [] },
    { values: [5, 5], through: 3, missing: [] },
    { values: [5], through: 5, missing: [[4, 4]] },
  ])
})

it('long texts weigh, and are apart', () => {
  const texts = ['a'.repeat(320), 'b'.repeat(320), 'c']
  const columns = { at: Float64Array.of(1, 2, 3), values: texts }
  const one = { generation: 1, count: 3, runs: [{ series: { ...SERIES, kind: 'text' as const }, columns }] }
  expect([weightOf(one), weightOf(flush(1, 3))]).toStrictEqual([3 + Math.ceil(641 / 32), 3])
  const delivery = { items: [one], before: new SeenFlushes(0), after: new SeenFlushes(1) }
  const parts = [...partsOf(delivery, { items: 10, text: 400 })]
  expect(parts.map(({ points }) => points.map(({ value }) => value))).toStrictEqual([[texts[0]], texts.slice(1)])
})

it('a long list of what was missing is looked through for a part, and not for each flush', () => {
  const missing = Array.from({ length: 5_000 }, (_, index) => index + 1)
  const until = vi.spyOn(SeenFlushes.prototype, 'until')
  const delivery = {
    items: missing.map((one) => flush(one)),
    before: new SeenFlushes(9_000, [[1, 5_000]]),
    after: new SeenFlushes(9_000),
  }
  expect([...partsOf(delivery, { items: 1_000, text: Infinity })].map(({ points }) => points.length)).toStrictEqual([
    1_000, 1_000, 1_000, 1_000, 1_000,
  ])
  expect(until.mock.calls.length).toBeLessThanOrEqual(5)
  until.mockRestore()
})

it('each of many subscribers that want one component looks at few runs, and gets them in order', () => {
  let reads = 0
  const columns = { at: Float64Array.of(1), values: Float64Array.of(1) }
  const runs = Array.from({ length: 1_000 }, (_, id) => {
    const series = {
      ...SERIES,
      id,
      get componentUuid() {
        reads += 1
        return `component ${id % 500}`
      },
    }
    return { series, columns }
  })
  const all = { generation: 1, count: 1_000, runs }
  const idsFor = (components: readonly string[]) => flushOf(all, { components })?.runs.map(({ series }) => series.id)
  for (let one = 0; one < 500; one++) expect(idsFor([`component ${one}`])).toStrictEqual([one, one + 500])
  expect(reads).toBeLessThan(10 * runs.length)
  expect(idsFor(['component 7', 'component 3', 'component 7'])).toStrictEqual([3, 7, 503, 507])
  expect(flushOf(all, { components: ['another'] })).toBeNull()
  expect(flushOf(all, { systems: ['s'], components: ['component 1'] })?.count).toBe(2)
})

it('a flush is divided by units once, and not searched for each subscriber within a unit', async () => {
  const { runs } = flush(1)
  const all = ['a', 'b', null, 'a'].map((unitUuid, id) => ({ ...runs[0]!, series: { ...SERIES, id, unitUuid } }))
  const one: StoredFlush = { generation: 1, count: all.length, runs: all }
  const idsIn = (...units: string[]) => flushOf(one, { units })?.runs.map(({ series }) => series.id)
  const searches = await countCalls(all, 'filter', () => {
    expect(idsIn('a')).toStrictEqual([0, 3])
    expect(idsIn('b', 'a')).toStrictEqual([0, 1, 3])
    expect(idsIn('c')).toBeUndefined()
  })
  expect(searches).toBe(0)
})
