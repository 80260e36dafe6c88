import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { NO_SETTINGS, type Move, type Settings } from '../../src/records/settings.ts'
import { applyAll, plan } from '../support/domain.ts'
import { effects, storedRecord } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()

const metadataType = (dataType: string, fields: JsonObject = {}) => ({
  metadataTypes: [{ key: 'serial', entityType: 'SERVICE', dataType, ...fields }],
})
const services = (...values: readonly Json[]) => ({
  services: values.map((value, index) => ({
    code: `s${index}`,
    name: 'S',
    metadataKeyValueStore: [{ key: 'serial', value }],
  })),
})

async function storedValue(): Promise<unknown> {
  const { body } = await storedRecord(domain(), 'services', 's0')
  return (body['metadataKeyValueStore'] as readonly JsonObject[])[0]?.['value']
}

function renaming(from: string, to: string): Move {
  return { type: 'metadataTypes', from, to }
}

function moving(...moved: readonly Move[]): Settings {
  return { ...NO_SETTINGS, moved }
}

function refusal(document: object) {
  return plan(domain(), document).then(
    () => [],
    (error: { details: readonly { code: string; pointer: string }[] }) =>
      error.details.map(({ code, pointer }) => ({ code, pointer })),
  )
}

function messages(document: object) {
  return plan(domain(), document).then(
    () => [],
    (error: { details: readonly { code: string; message: string }[] }) =>
      error.details.map(({ code, message }) => `${code} ${message}`),
  )
}

function items(count: number, value = 'v') {
  return Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value }))
}

test('more than is taken is refused with its place', async () => {
  const all = [items(200), items(201), items(1, 'v'.repeat(20_000))]
  const much = all.map((metadataKeyValueStore, n) => ({ code: `s${n}`, name: 'S', metadataKeyValueStore }))
  expect(await refusal({ services: much })).toStrictEqual([
    { code: 'metadata-too-large', pointer: '/services/1/metadataKeyValueStore' },
    { code: 'metadata-too-large', pointer: '/services/2/metadataKeyValueStore' },
  ])
})

describe('a plain number', () => {
  test.each([
    ['FLOAT', { float: 5 }],
    ['INTEGER', { integer: 5 }],
  ])('is stored as its MetadataType says: %s', async (dataType, stored) => {
    await applyAll(domain(), { ...metadataType(dataType), ...services(5) })
    expect(await storedValue()).toEqual(stored)
  })

  test('takes its type from a MetadataType that only the platform knows', async () => {
    await applyAll(domain(), metadataType('FLOAT'))
    await applyAll(domain(), services(5))
    expect(await storedValue()).toEqual({ float: 5 })
  })

  test('takes it from its shape where the document manages the types and leaves this one out', async () => {
    await applyAll(domain(), metadataType('FLOAT'))
    await applyAll(domain(), { metadataTypes: [], ...services(5) })
    expect(await storedValue()).toEqual({ integer: 5 })
  })
})

describe('a MetadataType that changes its dataType', () => {
  test('changes the records whose plain values mean something else now', async () => {
    await applyAll(domain(), { ...metadataType('INTEGER'), ...services(5) })
    const next = { ...metadataType('FLOAT'), ...services(5) }
    expect(effects(await plan(domain(), next))).toEqual(['update metadataTypes/SERVICE/serial', 'update services/s0'])
    await applyAll(domain(), next)
    expect(await storedValue()).toEqual({ float: 5 })
    expect((await plan(domain(), next)).outcome).toBe('no-changes')
  })

  test('refuses values that do not fit it any more', async () => {
    await applyAll(domain(), { ...metadataType('STRING'), ...services('five') })
    expect(await refusal({ ...metadataType('INTEGER'), ...services('five') })).toEqual([
      { code: 'metadata-value', pointer: '/services/0/metadataKeyValueStore/0/value' },
    ])
  })

  test('leaves an export that plans to nothing', async () => {
    await applyAll(domain(), { ...metadataType('INTEGER'), ...services(5) })
    await applyAll(domain(), metadataType('FLOAT'))
    expect((await plan(domain(), await exportDocument(domain(), null))).changes).toEqual([])
  })
})

describe('a MetadataType', () => {
  test.each([
    ['INTEGER', 5.5],
    ['INTEGER', { float: 5 }],
    ['STRING', 5],
    ['BOOLEAN', 'true'],
    ['UUID', 'no uuid'],
    ['TIMESTAMP', 'yesterday'],
    ['FLOAT', { string: '5' }],
  ])('%s refuses %j', async (dataType, value) => {
    expect(await refusal({ ...metadataType(dataType), ...services(value) })).toEqual([
      { code: 'metadata-value', pointer: '/services/0/metadataKeyValueStore/0/value' },
    ])
  })

  test.each([
    ['2026-02-30T00:00:00Z', 'wrong-format', '; there is no day 2026-02-30'],
    ['2026-02-31T10:00:00+01:00', 'wrong-format', '; there is no day 2026-02-31'],
    ['2026-01-01T24:00:00Z', 'wrong-format', '; there is no time of day 24:00:00'],
    ['2026-12-31T23:59:60Z', 'metadata-value', '; a leap second (:60) has no place of its own'],
    ['9999-12-31T23:59:59-01:00', 'metadata-value', '; in UTC it is outside of the years 0000 to 9999'],
    ['0000-01-01T00:00:00+01:00', 'metadata-value', '; in UTC it is outside of the years 0000 to 9999'],
    ['2026-01-01T00:00:00+01', 'metadata-value', ''],
  ])('of TIMESTAMP takes no %s, plain or tagged, and says why', async (text, tagged, flaw) => {
    const wrong = `${JSON.stringify(text)}${flaw}`
    const timestamp = metadataType('TIMESTAMP')
    expect(await messages({ ...timestamp, ...services(text) })).toEqual([
      `metadata-value metadata "serial": its MetadataType wants dataType TIMESTAMP, so the value must be a date-time with offset such as 2026-01-31T06:30:00Z, but is ${wrong}`,
    ])
    for (const document of [{ ...timestamp, ...services({ timestamp: text }) }, services({ timestamp: text })])
      expect(await messages(document)).toEqual([
        expect.stringMatching(new RegExp(`^${tagged} .* must be a date-time .*, but is `)),
      ])
    expect((await messages(services({ timestamp: text })))[0]).toContain(wrong)
    expect(await messages(metadataType('TIMESTAMP', { default: text }))).toEqual([
      `default-of-other-type default must be a value of dataType TIMESTAMP (timestamp)${flaw}`,
    ])
    const characteristic = { code: 'c', name: 'C', characteristicType: 'SETTING', dataType: 'TIMESTAMP' }
    const { diagnostics } = await plan(domain(), { characteristics: [{ ...characteristic, boundaryMax: text }] })
    expect(diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      `warning boundaryMax is stored and not enforced: values of a TIMESTAMP are compared with a date-time with offset like 2026-01-31T06:30:00Z, not with ${wrong}`,
    ])
  })

  test('says with its article what a value is, and what it must be', async () => {
    expect(await messages({ ...metadataType('TIMESTAMP'), ...services(5) })).toEqual([
      expect.stringContaining('must be a timestamp, not an integer'),
    ])
    expect(await messages({ ...metadataType('INTEGER'), ...services('five') })).toEqual([
      expect.stringContaining('must be an integer, not a string'),
    ])
  })

  test.each(['INTEGER', 'STRING', 'BOOLEAN', 'UUID', 'TIMESTAMP', 'FLOAT'])('%s accepts null', async (dataType) => {
    expect(await refusal({ ...metadataType(dataType), ...services(null) })).toEqual([])
  })

  test('rules only over its own entityType', async () => {
    const characteristics = [
      {
        code: 'c',
        name: 'C',
        characteristicType: 'SETTING',
        dataType: 'TIME',
        metadataKeyValueStore: [{ key: 'serial', value: 'x' }],
      },
    ]
    expect(await refusal({ ...metadataType('INTEGER'), characteristics })).toEqual([])
  })

  test('is identified by entityType and key', async () => {
    const both = {
      metadataTypes: [
        ...metadataType('STRING').metadataTypes,
        { key: 'serial', entityType: 'USER', dataType: 'FLOAT' },
      ],
    }
    expect(effects(await plan(domain(), both))).toEqual([
      'create metadataTypes/SERVICE/serial',
      'create metadataTypes/USER/serial',
    ])
  })

  test.each(['FLOAT', 'BOOLEAN', 'TIMESTAMP', 'UUID'])('cannot be unique with dataType %s', async (dataType) => {
    expect(await refusal(metadataType(dataType, { unique: true }))).toEqual([
      { code: 'unique-unsupported', pointer: '/metadataTypes/0/unique' },
    ])
  })

  test.each([
    ['INTEGER', 1.5],
    ['STRING', 1],
    ['BOOLEAN', 'x'],
    ['TIMESTAMP', 'x'],
    ['UUID', 'x'],
    ['FLOAT', 'x'],
  ])('%s refuses the default %j', async (dataType, value) => {
    expect(await refusal(metadataType(dataType, { default: value }))).toEqual([
      { code: 'default-of-other-type', pointer: '/metadataTypes/0/default' },
    ])
  })
})

describe('unique', () => {
  const unique = metadataType('INTEGER', { unique: true })

  test('refuses the same value on two records, in whatever spelling', async () => {
    expect(await refusal({ ...unique, ...services(1, { integer: 1 }) })).toEqual([
      { code: 'metadata-not-unique', pointer: '/services/1/metadataKeyValueStore/0/value' },
    ])
  })

  test('accepts null any number of times, and different values', async () => {
    expect(await refusal({ ...unique, ...services(null, null, 1, 2) })).toEqual([])
  })

  test('lets two records exchange their values', async () => {
    await applyAll(domain(), { ...unique, ...services(1, 2) })
    await applyAll(domain(), { ...unique, ...services(2, 1) })
    expect(await storedValue()).toEqual({ integer: 2 })
  })
})

describe('a change of the type alone', () => {
  const named = (types: JsonObject) => ({ metadataTypes: [OTHER, ...(types['metadataTypes'] as JsonObject[])] })
  const OTHER = { key: 'other', entityType: 'USER', dataType: 'STRING' }

  test('is where the finding stands, whatever holds the values', async () => {
    await applyAll(domain(), { ...named(metadataType('STRING')), ...services('five', 'five') })
    for (const [type, code] of [
      [metadataType('INTEGER'), 'metadata-value'],
      [metadataType('STRING', { unique: true }), 'metadata-not-unique'],
    ] as const) {
      const { outcome, diagnostics } = await plan(domain(), named(type))
      expect(outcome).toBe('blocked')
      expect(new Set(diagnostics.map((found) => `${found.code} ${found.pointer}`))).toEqual(
        new Set([`${code} /metadataTypes/1`]),
      )
    }
  })

  test('that deletes it says which values stay behind', async () => {
    await applyAll(domain(), { ...named(metadataType('STRING')), ...services('five', 'six') })
    const { diagnostics } = await plan(domain(), { metadataTypes: [OTHER] })
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'metadata-without-type',
        message:
          '2 values of metadataTypes/SERVICE/serial stay, but nothing declares them any more: the metadata of services/s0, services/s1',
      },
    ])
    const gone = await plan(domain(), { metadataTypes: [OTHER], services: [] })
    expect(gone.diagnostics.map(({ code }) => code)).not.toContain('metadata-without-type')
  })

  test('that moves it says which values stay behind under the old key, unless another one moves there', async () => {
    await applyAll(domain(), { ...named(metadataType('STRING')), ...services('five') })
    const away = renaming('SERVICE/serial', 'SERVICE/number')
    const types = metadataType('STRING', { key: 'number' }).metadataTypes
    const alone = await plan(domain(), { metadataTypes: [OTHER, ...types] }, moving(away))
    expect(alone.diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'metadata-without-type',
        message:
          '1 value of metadataTypes/SERVICE/serial stays, but nothing declares them any more: the metadata of services/s0',
      },
    ])
    const replaced = [...metadataType('STRING').metadataTypes, ...types]
    const both = moving(away, renaming('USER/other', 'SERVICE/serial'))
    expect((await plan(domain(), { metadataTypes: replaced }, both)).diagnostics).toEqual([])
  })
})

test('a metadata key that is given twice is an error', async () => {
  const metadataKeyValueStore = [
    { key: 'a', value: 1 },
    { key: 'a', value: 2 },
  ]
  expect(await refusal({ services: [{ code: 's', name: 'S', metadataKeyValueStore }] })).toEqual([
    { code: 'duplicate-metadata-key', pointer: '/services/0/metadataKeyValueStore/1/key' },
  ])
})
