import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { examples } from '../../support/example-records.ts'
import { changeOf, codesOf, findings, keysOf, rowOf } from '../../support/plan-parts.ts'
import { planAgainst } from '../plan-against.ts'

// Semantics, section 8: each guard on the row or change that it stops.

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${String(index).padStart(4, '0')}`)
const dataSources = (list: readonly string[]) => ({ dataSources: examples('dataSources', list) })
const characteristic = (fields: JsonObject = {}) => ({
  characteristics: [{ code: 'c', name: 'C', characteristicType: 'MEASUREMENT', dataType: 'FLOAT', ...fields }],
})

const twoTypes = (count: number) => ({ ...dataSources(names(count)), services: examples('services', names(count)) })

describe('mass-delete', () => {
  /** max(5, 2·√n), a whole number of records. */
  test.each([
    [6, 5],
    [7, 5],
    [9, 6],
    [10, 6],
    [25, 10],
    [100, 20],
    [400, 40],
  ])('of %i records at most %i may go at once', async (count, most) => {
    const all = names(count)
    const deleting = async (gone: number) => {
      // One record is new, so that deleting all of them does not empty the type.
      const planned = await planAgainst(dataSources(all), dataSources([...all.slice(gone), 'new']))
      expect(keysOf(planned, 'delete', 'dataSources')).toHaveLength(gone)
      return codesOf(rowOf(planned, 'dataSources'))
    }
    expect(await deleting(most)).toEqual([])
    expect(await deleting(most + 1)).toEqual(['mass-delete'])
  })

  test('says how many of how many', async () => {
    const planned = await planAgainst(dataSources(names(10)), dataSources(['n0000', 'n0001']))
    expect(rowOf(planned, 'dataSources').guards[0]?.message).toContain('8 of 10')
  })

  test('counts each type for itself', async () => {
    const planned = await planAgainst(twoTypes(9), twoTypes(4))
    expect(planned.scope.flatMap(codesOf)).toEqual([])
    expect(planned.summary.delete).toBe(10)
  })

  test('holds for any number of records', async () => {
    const sizes = fc
      .integer({ min: 1, max: 60 })
      .chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 0, max: count - 1 })))
    await fc.assert(
      fc.asyncProperty(sizes, async ([count, gone]) => {
        const all = names(count)
        const planned = await planAgainst(dataSources(all), dataSources(all.slice(gone)))
        expect(codesOf(rowOf(planned, 'dataSources'))).toEqual(
          gone > Math.max(5, 2 * Math.sqrt(count)) ? ['mass-delete'] : [],
        )
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })
})

describe('deletes-data', () => {
  const impact = { 'characteristics/c': { datapoints: 1204, components: 1 } }
  const gone = { characteristics: [] }
  const acknowledge = [{ code: 'empties-type', type: 'characteristics' } as const]

  test('stops the deletion of a record with data behind it, counts it and points to ARCHIVED', async () => {
    const planned = await planAgainst(characteristic(), gone, { impact, settings: { acknowledge } })
    const { guards } = changeOf(planned, 'characteristics', 'c')
    expect(guards.map(({ code, acknowledged }) => ({ code, acknowledged }))).toEqual([
      { code: 'deletes-data', acknowledged: false },
    ])
    expect(guards[0]?.message).toMatch(/1,204 datapoints, 1 component\b.*ARCHIVED/)
    expect(planned.outcome).toBe('blocked')
  })

  test.each([[{}], [{ datapoints: 0 }]])('does not stop one that nothing hangs on: %j', async (counts) => {
    const planned = await planAgainst(characteristic(), gone, { impact: { 'characteristics/c': counts } })
    expect(codesOf(changeOf(planned, 'characteristics', 'c'))).toEqual([])
  })

  test('does not point to ARCHIVED where the record has no status', async () => {
    const planned = await planAgainst(dataSources(['d']), dataSources([]), {
      impact: { 'dataSources/d': { datapoints: 1 } },
    })
    expect(changeOf(planned, 'dataSources', 'd').guards).toMatchObject([
      { code: 'deletes-data', message: expect.not.stringContaining('ARCHIVED') as string },
    ])
  })

  test('is not about updates: archiving a record keeps its data, and strands it', async () => {
    const planned = await planAgainst(characteristic(), characteristic({ status: 'ARCHIVED' }), { impact })
    expect(codesOf(changeOf(planned, 'characteristics', 'c'))).toEqual(['strands-data'])
  })
})

const select = (...keys: readonly string[]) => ({
  dataType: 'SELECT',
  options: keys.map((key) => ({ key, label: key })),
})

const named = (code: string, dataType: string) => characteristic({ code, dataType })

describe('invalidates-data', () => {
  const impact = { 'characteristics/c': { datapoints: 7 } }
  const codes = async (before: JsonObject, after: JsonObject, counts = impact) =>
    codesOf(
      changeOf(
        await planAgainst(characteristic(before), characteristic(after), { impact: counts }),
        'characteristics',
        'c',
      ),
    )

  test.each([
    ['another dataType', {}, { dataType: 'INTEGER' }],
    ['an option removed', select('a', 'b'), select('a')],
    ['an option renamed', select('a'), select('b')],
    ['a higher boundaryMin', { boundaryMin: 1 }, { boundaryMin: 2 }],
    ['a lower boundaryMax', { boundaryMax: 2 }, { boundaryMax: 1 }],
    ['a boundary where there was none', {}, { boundaryMax: 1 }],
    ['a boundary where one was not enforced', { boundaryMax: '1' }, { boundaryMax: 1 }],
    [
      'a later first instant',
      { dataType: 'TIMESTAMP', boundaryMin: '2026-01-01T00:00:00Z' },
      { dataType: 'TIMESTAMP', boundaryMin: '2026-01-01T01:00:00Z' },
    ],
    [
      'a boundary of a fraction of a second',
      { dataType: 'TIMESTAMP', boundaryMin: '2026-01-01T00:00:00Z' },
      { dataType: 'TIMESTAMP', boundaryMin: '2026-01-01T00:00:00.5Z' },
    ],
  ])('%s stops the change of a characteristic with datapoints', async (_, before, after) => {
    expect(await codes(before, after)).toEqual(['invalidates-data'])
  })

  test.each([
    ['another name', {}, { name: 'New' }],
    ['an option added', select('a'), select('a', 'b')],
    ['options in another order', select('a', 'b'), select('b', 'a')],
    ['wider boundaries', { boundaryMin: 1, boundaryMax: 2 }, { boundaryMin: 0, boundaryMax: 3 }],
    ['a boundary removed', { boundaryMax: 2 }, { boundaryMax: null }],
    ['a boundary that no value is held to', {}, { boundaryMin: 'cold', boundaryMax: '5' }],
    ['another one', { dataType: 'DATE', boundaryMin: 'PT1H' }, { dataType: 'DATE', boundaryMin: 'PT2H' }],
    ['one of another type', { dataType: 'STRING', boundaryMax: 1 }, { dataType: 'STRING', boundaryMax: 0 }],
  ])('%s does not', async (_, before, after) => {
    expect(await codes(before, after)).toEqual([])
  })

  test('without datapoints nothing is stopped', async () => {
    expect(await codes({}, { dataType: 'INTEGER' }, { 'characteristics/c': { datapoints: 0 } })).toEqual([])
  })

  test('a characteristic that moves is looked at too', async () => {
    const settings = { moved: [{ type: 'characteristics', from: 'c', to: 'd' } as const] }
    const planned = await planAgainst(named('c', 'FLOAT'), named('d', 'INTEGER'), { impact, settings })
    expect(codesOf(changeOf(planned, 'characteristics', 'd'))).toEqual(['invalidates-data'])
  })
})

describe('protected', () => {
  const settings = { protect: [{ type: 'dataSources', key: 'n0000' } as const] }

  test('stops the deletion of a record that the settings list', async () => {
    const planned = await planAgainst(dataSources(names(3)), dataSources(['n0002']), { settings })
    expect(codesOf(changeOf(planned, 'dataSources', 'n0000'))).toEqual(['protected'])
    expect(codesOf(changeOf(planned, 'dataSources', 'n0001'))).toEqual([])
    expect(planned.outcome).toBe('blocked')
  })

  test('stops a deletion that only follows from another one', async () => {
    const linked = {
      ...dataSources([]),
      characteristics: characteristic().characteristics,
      services: [{ code: 's', name: 'S', characteristics: [{ code: 'c' }] }],
    }
    const protect = [{ type: 'characteristicServiceLinks', key: 'c/s' } as const]
    const planned = await planAgainst(linked, { services: [] }, { settings: { protect }, managed: new Map() })
    expect(codesOf(changeOf(planned, 'characteristicServiceLinks', 'c/s'))).toEqual(['protected'])
  })

  test('does not stop an update or a move', async () => {
    const moved = [{ type: 'dataSources', from: 'n0000', to: 'm' } as const]
    const planned = await planAgainst(dataSources(['n0000']), dataSources(['m']), { settings: { ...settings, moved } })
    expect(planned.outcome).toBe('changes')
  })
})

describe('an acknowledgement', () => {
  const live = dataSources(names(3))
  const next = dataSources(['n0002'])
  const protect = [{ type: 'dataSources', key: 'n0000' } as const]
  const withAcknowledged = (entry: JsonObject) =>
    planAgainst(live, next, {
      settings: { protect, acknowledge: [{ code: 'protected', type: 'dataSources', ...entry } as never] },
    })

  test('lets exactly its guard pass', async () => {
    const planned = await withAcknowledged({ key: 'n0000' })
    expect(changeOf(planned, 'dataSources', 'n0000').guards).toMatchObject([{ code: 'protected', acknowledged: true }])
    expect({ outcome: planned.outcome, findings: findings(planned) }).toEqual({ outcome: 'changes', findings: [] })
  })

  test.each([
    ['of another code', { code: 'deletes-data', key: 'n0000' }],
    ['of another record', { key: 'n0001' }],
    ['of another type', { type: 'services', key: 'n0000' }],
    ['of the type as a whole', {}],
  ])('%s stops nothing, is a warning, and the guard still blocks', async (_, entry) => {
    const planned = await withAcknowledged(entry)
    expect({ outcome: planned.outcome, findings: findings(planned) }).toEqual({
      outcome: 'blocked',
      findings: ['unused-acknowledgement'],
    })
  })

  test('of a record does not let a guard of the whole type pass', async () => {
    const acknowledge = [{ code: 'empties-type', type: 'dataSources', key: 'n0000' } as const]
    expect((await planAgainst(live, dataSources([]), { settings: { acknowledge } })).outcome).toBe('blocked')
  })

  test('changes neither the digest nor the changes of a plan', async () => {
    const [without, within] = [
      await planAgainst(live, next, { settings: { protect } }),
      await withAcknowledged({ key: 'n0000' }),
    ]
    expect(within.digest).toBe(without.digest)
  })
})
