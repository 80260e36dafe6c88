import { describe, expect, test } from 'vitest'
import { cleanDocument } from './clean.ts'
import { compareDocuments } from './compare.ts'
import { loadDefinitions } from './definitions.ts'
import type { DeviceDefinition } from './definitions.ts'
import type { CorpusDocument } from './document.ts'
import { rawDocument } from './zigbee.ts'

const raw = rawDocument(loadDefinitions('current'))
const cleaned = cleanDocument(raw)

describe('the raw conversion', () => {
  test('gives the same bytes every time', () => {
    expect(JSON.stringify(rawDocument(loadDefinitions('current')))).toBe(JSON.stringify(raw))
  })

  test('is a data model of several thousand devices', () => {
    expect(sizes(raw)).toEqual({
      characteristics: between(7_000, 9_000),
      characteristicServiceLinks: between(2_000, 4_000),
      componentModels: between(5_000, 7_000),
      dataSources: between(350, 500),
      eventModels: between(1_700, 2_500),
      metadataTypes: 14,
      services: between(2_400, 3_500),
      serviceComponentModelLinks: between(3_000, 5_000),
      organizations: between(550, 750),
    })
  })

  test('keeps the NUL bytes, the spellings and the long lists of the source', () => {
    const text = JSON.stringify(raw)
    const symbols = new Set(raw.characteristics.map(({ symbol }) => symbol))
    expect(text).toContain(String.raw`\u0000`)
    expect([...symbols]).toEqual(expect.arrayContaining(['°C', '℃', 'ºC', '  C', 'C']))
    expect(Math.max(...raw.characteristics.map(({ options }) => options?.length ?? 0))).toBe(800)
  })

  test('writes links in both spellings', () => {
    expect(raw.services.some(({ characteristics }) => characteristics !== undefined)).toBe(true)
    expect(raw.services.some(({ characteristics }) => characteristics === undefined)).toBe(true)
    expect(raw.componentModels.some(({ services }) => services === undefined)).toBe(true)
  })

  test('holds only what JSON can say', () => {
    expect(JSON.parse(JSON.stringify(raw))).toStrictEqual(raw)
  })
})

describe('cleaning', () => {
  // What the source really holds; the rules it does not need today are tested on a made-up device below.
  test.each([
    'control-character',
    'outer-space',
    'empty-symbol',
    'unit-spelling',
    'empty-option-key',
    'repeated-option-key',
    'long-option-list',
    'fractional-integer',
    'step-off-grid',
    'repeated-metadata-key',
    'vendor-spelling',
    'clashing-event-code',
    'clashing-model-code',
    'repeated-link',
  ])('finds and repairs: %s', (rule) => {
    expect(cleaned.fixes[rule]).toBeGreaterThan(0)
  })

  test('leaves nothing to repair', () => {
    expect(Object.values(cleanDocument(cleaned.document).fixes).filter((count) => count > 0)).toEqual([])
  })

  test('does not touch what it was given', () => {
    expect(JSON.stringify(raw)).toContain(String.raw`\u0000`)
    expect(JSON.stringify(cleaned.document)).not.toContain(String.raw`\u0000`)
  })

  test('leaves every identity once', () => {
    const { document } = cleaned
    expect(repeated(document.characteristics.map(({ code }) => code))).toEqual([])
    expect(repeated(document.services.map(({ code }) => code))).toEqual([])
    expect(repeated(document.componentModels.map(({ code }) => code))).toEqual([])
    expect(repeated(document.eventModels.map(({ code }) => code))).toEqual([])
    expect(repeated(document.organizations.map(({ alias }) => alias))).toEqual([])
    expect(
      repeated(document.eventModels.flatMap(({ metadataKeyValueStore }) => JSON.stringify(metadataKeyValueStore))),
    ).toEqual([])
  })

  test('leaves every reference with a record at its end', () => {
    const { document } = cleaned
    expect(missing(characteristicReferences(document), document.characteristics)).toEqual([])
    expect(missing(serviceReferences(document), document.services)).toEqual([])
    expect(
      missing(
        document.characteristicServiceLinks.map(({ serviceCode }) => serviceCode),
        document.services,
      ),
    ).toEqual([])
    const models = document.serviceComponentModelLinks.map(({ componentModelCode }) => componentModelCode)
    expect(missing(models, document.componentModels)).toEqual([])
  })
})

test('a made-up device shows the dirt that the source is free of today', () => {
  const { fixes, document } = cleanDocument(rawDocument([BROKEN_DEVICE]))
  expect(fixes).toMatchObject({ 'swapped-boundaries': 1, 'no-options': 1 })
  expect(document.characteristics).toMatchObject([{ boundaryMin: 5, boundaryMax: 30 }, { dataType: 'STRING' }])
})

test('the previous version differs in every way that a plan knows', () => {
  const previous = cleanDocument(rawDocument(loadDefinitions('previous'))).document
  const counts = compareDocuments({ ...previous }, { ...cleaned.document })
  for (const type of ['characteristics', 'componentModels', 'organizations'] as const) {
    expect(counts[type]).toEqual({ create: between(1), update: between(1), delete: between(0), unchanged: between(1) })
  }
  expect(counts['users']).toEqual({ create: 0, update: 0, delete: 0, unchanged: 0 })
})

const BROKEN_DEVICE: DeviceDefinition = {
  module: 'example',
  vendor: 'Example',
  model: 'T-1',
  description: 'Thermostat',
  options: [],
  exposes: [
    { type: 'numeric', name: 'setpoint', access: 7, value_min: 30, value_max: 5, value_step: 1 },
    { type: 'enum', name: 'mode', access: 7, values: [] },
  ],
}

function sizes(document: CorpusDocument): { [type: string]: number } {
  return Object.fromEntries(Object.entries(document).map(([type, records]) => [type, records.length]))
}

function between(least: number, most = Infinity): unknown {
  return expect.toSatisfy((value: number) => value >= least && value <= most, `between ${least} and ${most}`)
}

function repeated(keys: readonly string[]): string[] {
  return [...Map.groupBy(keys, (key) => key)].flatMap(([key, same]) => (same.length > 1 ? [key] : []))
}

function missing(references: readonly string[], records: readonly { code: string }[]): string[] {
  return [...new Set(references).difference(new Set(records.map(({ code }) => code)))]
}

function characteristicReferences({ services, characteristicServiceLinks }: CorpusDocument): string[] {
  const embedded = services.flatMap(({ characteristics }) => (characteristics ?? []).map(({ code }) => code))
  return [...embedded, ...characteristicServiceLinks.map(({ characteristicCode }) => characteristicCode)]
}

function serviceReferences({ componentModels, serviceComponentModelLinks }: CorpusDocument): string[] {
  const embedded = componentModels.flatMap(({ services }) => (services ?? []).map(({ code }) => code))
  return [...embedded, ...serviceComponentModelLinks.map(({ serviceCode }) => serviceCode)]
}
