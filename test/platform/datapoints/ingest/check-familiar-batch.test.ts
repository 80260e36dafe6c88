import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { PointColumns } from '../../../../src/datapoints/chunks/flush.ts'
import { decodeJson } from '../../../../src/datapoints/wire/wire.ts'
import {
  checkBatch,
  keyOf,
  keyText,
  type BatchOptions,
} from '../../../../src/platform/datapoints/ingest/check-batch.ts'
import { FamiliarBatches } from '../../../../src/platform/datapoints/ingest/check-familiar-batch.ts'
import { DomainSeries } from '../../../../src/platform/datapoints/series/series-cache.ts'
import { runsOf } from '../../../support/runs.ts'

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const [SYSTEM, SERVICE, OTHER_SYSTEM] = [uuid(1), uuid(2), uuid(3)]
const NOON = Date.parse('2026-01-31T12:00:00Z')

const TYPES = ['FLOAT', 'INTEGER', 'BOOLEAN', 'STRING', 'JSON'] as const

function knownSeries(): DomainSeries {
  const series = new DomainSeries()
  series.keptTimes.moveTo(NOON * 1_000)
  for (const [index, dataType] of [...TYPES, ...TYPES].entries()) {
    const characteristicType = index === 1 ? 'SETTING' : 'MEASUREMENT'
    series.add({
      id: 100 + index,
      systemUuid: SYSTEM,
      unitUuid: null,
      componentUuid: uuid(10 + Math.floor(index / TYPES.length)),
      modelUuid: uuid(4),
      pair: {
        serviceUuid: SERVICE,
        serviceKey: 'room',
        serviceStatus: 'ACTIVATED',
        serviceName: 'Room',
        characteristicUuid: uuid(20 + (index % TYPES.length)),
        characteristicKey: dataType,
        characteristicBody: { dataType, characteristicType },
      },
      keep: 'P30D',
    })
  }
  return series
}

const OPTIONS: BatchOptions = {
  arrival: NOON * 1_000,
  limits: { earliest: 0, latest: (NOON + 600_000) * 1_000 },
  bounds: null,
  refused: new Map(),
}

/** Index of a series: five types of each of two components. */
function point(index: number, value: unknown, timestamp: unknown = '2026-01-31T11:59:30.250Z') {
  return {
    characteristic_uuid: uuid(20 + (index % TYPES.length)),
    component_uuid: uuid(10 + Math.floor(index / TYPES.length)),
    service_uuid: SERVICE,
    system_uuid: SYSTEM,
    value,
    timestamp,
  }
}

function columns({ count, series, at, kinds, values, others }: PointColumns) {
  const [first, second, third, fourth] = [series, at, kinds, values].map((column) => [...column.subarray(0, count)])
  return { count, first, second, third, fourth, others }
}

const encode = (text: string) => new TextEncoder().encode(text)

/** Read both ways: how many points and unknown series there are; null if the quick one leaves it to the other one. */
function quickly(familiar: FamiliarBatches, text: string, options = OPTIONS, most = 10_000) {
  const bytes = encode(text)
  const quick = familiar.read({ bytes, most }, knownSeries(), options)
  if (quick === null) return null
  const { errors, missing, points, settings } = checkBatch(decodeJson(bytes), knownSeries(), options)
  expect(errors.count).toBe(0)
  expect(quick.missing).toStrictEqual(missing)
  expect(columns(quick.points)).toStrictEqual(columns(points))
  expect(quick.settings.map(({ at, value }) => ({ at, value }))).toStrictEqual(
    settings.map(({ at, value }) => ({ at, value })),
  )
  return points.count + missing.size
}

/** Knows how this body is written. */
function familiarWith(text: string): FamiliarBatches {
  const familiar = new FamiliarBatches()
  familiar.learn({ bytes: encode(text), most: 10_000 }, decodeJson(encode(text)))
  return familiar
}

const GOOD = [point(0, 21.5), point(1, 7), point(2, true), point(3, 'on'), point(4, 3), point(5, -0)]

/** As `json.dumps` of Python does it. */
function spaced(elements: readonly object[]): string {
  return `[${elements.map((element) => `{${membersOf(element).join(', ')}}`).join(', ')}]`
}

function membersOf(element: object): string[] {
  return Object.entries(element).map(([field, value]) => `${JSON.stringify(field)}: ${JSON.stringify(value)}`)
}

/** Whole numbers that a double may not hold are left to the thorough reader. */
const isExact = (value: number): boolean => !/^-?\d{16,}$/.test(String(value))

describe('a batch that is written as ever', () => {
  const familiar = familiarWith(JSON.stringify(GOOD))

  it('is read quickly, with the same result', () => {
    expect(quickly(familiar, JSON.stringify(GOOD))).toBe(6)
  })

  it('may be written as Python does it', () => {
    expect(quickly(familiarWith(spaced(GOOD)), spaced(GOOD))).toBe(6)
  })

  it('may have its fields in any order, and may have no timestamps', () => {
    const text = JSON.stringify(GOOD.map(({ value, timestamp, ...uuids }) => ({ timestamp, ...uuids, value })))
    expect(quickly(familiarWith(text), text)).toBe(6)
    const without = JSON.stringify(
      GOOD.map(({ value, characteristic_uuid, ...rest }) => ({
        value,
        ...rest,
        timestamp: undefined,
        characteristic_uuid,
      })),
    )
    expect(quickly(familiarWith(without), without)).toBe(6)
  })

  it('is known in several ways at once', () => {
    const both = familiarWith(spaced(GOOD))
    both.learn({ bytes: encode(JSON.stringify(GOOD)), most: 10 }, GOOD)
    expect([quickly(both, JSON.stringify(GOOD)), quickly(both, spaced(GOOD))]).toStrictEqual([6, 6])
  })

  it('may name series that must be looked up, each once', () => {
    const others = [1, 2, 1].map((index) => ({ ...point(index, 1), component_uuid: uuid(99) }))
    expect(quickly(familiar, JSON.stringify([...GOOD, ...others, ...GOOD]))).toBe(14)
  })

  test('whatever its order and its values are', () => {
    const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact), fc.integer())
    const times = fc.integer({ min: NOON - 86_400_000, max: NOON })
    const elements = fc.oneof(
      fc.tuple(fc.constantFrom(0, 5), numbers),
      fc.tuple(fc.constantFrom(1, 6), fc.integer()),
      fc.tuple(fc.constantFrom(2, 7), fc.boolean()),
      fc.tuple(fc.constantFrom(3, 8), fc.stringMatching(/^[a-z ]{0,20}$/)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(elements, times), { minLength: 1 }), (all) => {
        const text = JSON.stringify(all.map(([[index, value], at]) => point(index, value, new Date(at).toISOString())))
        expect(quickly(familiar, text)).toBe(all.length)
      }),
    )
  })
})

describe('left to the thorough reader is', () => {
  const familiar = familiarWith(JSON.stringify(GOOD))
  const text = JSON.stringify(GOOD)
  const changed = (change: object) => JSON.stringify([...GOOD, { ...point(0, 1), ...change }])

  it.each([
    ['an empty batch', '[]'],
    ['an empty body', ''],
    ['what is no list', JSON.stringify(GOOD[0])],
    ['a batch that is cut off', text.slice(0, -1)],
    ['a batch that something follows', `${text} 1`],
    ['a comma too many', `${text.slice(0, -1)},]`],
    ['another way of writing', spaced(GOOD)],
    ['a wrong value', changed({ value: 'warm' })],
    ['a value that is no plain one', changed({ value: [1] })],
    ['a text with escapes', JSON.stringify([point(3, 'a"b')])],
    ['a field too many', changed({ unit: 'K' })],
    ['a field twice', text.replace('"value":21.5', '"value":21.5,"value":22')],
    ['what is no uuid', changed({ component_uuid: uuid(99).replace('-', '+') })],
    ['an unknown series in capital letters', changed({ component_uuid: uuid(99).replace('8000', 'A000') })],
    ['a wrong timestamp', changed({ timestamp: '2026-02-30T00:00:00.000Z' })],
    ['a timestamp ahead', changed({ timestamp: '2026-01-31T12:10:00.001Z' })],
    ['a timestamp of what is not kept any more', changed({ timestamp: '2025-01-31T12:10:00.001Z' })],
  ])('%s', (_, body) => {
    expect(quickly(familiar, body)).toBeNull()
  })

  it('another system than the only one allowed', () => {
    expect(quickly(familiar, text, { ...OPTIONS, bounds: { systemUuid: OTHER_SYSTEM, units: null } })).toBeNull()
  })

  it('an unknown series of another system, or one that was looked up and refused', () => {
    const unknown = { ...point(0, 1), component_uuid: uuid(99) }
    const body = JSON.stringify([...GOOD, unknown])
    const elsewhere = JSON.stringify([...GOOD, { ...unknown, system_uuid: OTHER_SYSTEM }])
    const own = { ...OPTIONS, bounds: { systemUuid: SYSTEM, units: null } }
    const refusal = { field: 'component', code: 'unknown-component', detail: 'there is none' } as const
    const text = keyText(keyOf(unknown))
    expect(quickly(familiar, body, own)).toBe(7)
    expect(quickly(familiar, elsewhere, own)).toBeNull()
    expect(quickly(familiar, body, { ...OPTIONS, refused: new Map([[text, refusal]]) })).toBeNull()
  })

  it('more than may be in a batch, though nobody knows its series', () => {
    const body = JSON.stringify(GOOD.map((one, index) => ({ ...one, component_uuid: uuid(90 + index) })))
    expect(quickly(familiar, body, OPTIONS, GOOD.length)).toBe(6)
    expect(quickly(familiar, body, OPTIONS, GOOD.length - 1)).toBeNull()
  })

  it('more than may be in a batch', () => {
    expect(quickly(familiar, text, OPTIONS, GOOD.length - 1)).toBeNull()
  })

  test('almost everything else', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 0x20, max: 0x7e }), fc.nat(2), (at, code, removed) => {
        const other = `${text.slice(0, at)}${String.fromCharCode(code)}${text.slice(at + removed)}`
        // Null, or the same as what the thorough reader makes of it.
        expect(quickly(familiar, other)).toBeOneOf([null, 6])
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 200, long: 3_000 }) },
    )
  })
})
