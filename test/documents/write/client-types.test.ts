import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { format } from 'prettier'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readDocument } from '../../../src/documents/read/read-document.ts'
import { clientTypes } from '../../../src/documents/write/client-types.ts'
import { hasErrors } from '../../../src/lib/diagnostic.ts'
import { golden } from '../../support/golden.ts'
import { modelArbitrary } from '../../support/random-model.ts'
import { runsOf } from '../../support/runs.ts'
import { characteristic } from '../../reconcile/sample.ts'

const STYLE = { parser: 'typescript', semi: false, singleQuote: true, printWidth: 120 } as const

function typesOf(document: object) {
  const { snapshot, diagnostics } = readDocument(document)
  if (hasErrors(diagnostics)) throw new Error(`not a valid document: ${JSON.stringify(diagnostics)}`)
  return clientTypes(snapshot)
}

const options = (...keys: readonly string[]) => keys.map((key) => ({ key, label: key }))

const HOUSE = {
  characteristics: [
    characteristic('temperature', {
      name: 'Temperature',
      description: 'In the middle of the room.\nNot at the window.',
      symbol: '°C',
      boundaryMin: -20,
      boundaryMax: 60,
      boundaryStep: 0.1,
    }),
    characteristic('count', { dataType: 'INTEGER', boundaryMin: 0 }),
    characteristic('percent', { dataType: 'INTEGER', boundaryMin: 0, boundaryMax: 100 }),
    characteristic('mode', { characteristicType: 'SETTING', dataType: 'SELECT', options: options('comfort', 'eco') }),
    characteristic('days', { dataType: 'SELECT', multiple: true, options: options('mo', 'tu'), status: 'ARCHIVED' }),
    characteristic('curve', { dataType: 'JSON', schema: { type: 'array' } }),
    ...['BLOB', 'BOOLEAN', 'DATE', 'STRING', 'TIME', 'TIMESPAN', 'TIMESTAMP'].map((dataType) =>
      characteristic(dataType.toLowerCase(), { dataType }),
    ),
  ],
  services: [
    {
      code: 'climate',
      name: 'Climate',
      characteristics: [{ code: 'temperature' }, { code: 'mode' }, { code: 'days' }],
    },
    { code: 'extra/all', name: 'Extra', characteristics: [{ code: 'count' }, { code: 'curve' }, { code: 'boolean' }] },
  ],
  componentModels: [
    {
      code: 'thermostat',
      name: 'Thermostat',
      componentType: 'DEVICE',
      services: [{ code: 'climate' }, { code: 'extra/all' }],
    },
    { code: 'bare', name: 'Bare', componentType: 'VIRTUAL', status: 'DEACTIVATED' },
  ],
  eventModels: [
    { code: 'window-open', eventType: 'RANGED', entityType: 'COMPONENT', eventLevel: 'WARNING', message: 'A window' },
  ],
  metadataTypes: [
    { key: 'serial', entityType: 'COMPONENT', dataType: 'STRING', description: 'On the plate' },
    { key: 'floor no', entityType: 'SYSTEM', dataType: 'INTEGER' },
  ],
}

test('the types say what each record is for a client', () => {
  const { text, unknown } = typesOf(HOUSE)
  expect(unknown).toEqual([])
  expect(text).toBe(golden(new URL('house.golden.ts', import.meta.url), text))
})

describe('equal models give equal bytes', () => {
  test('in whatever order their records and links are', () => {
    const reversed = Object.fromEntries(Object.entries(HOUSE).map(([type, list]) => [type, list.toReversed()]))
    const services = HOUSE.services.map((one) => ({ ...one, characteristics: one.characteristics.toReversed() }))
    expect(typesOf({ ...reversed, services }).text).toBe(typesOf(HOUSE).text)
  })

  test('in whatever spelling their links are', () => {
    const services = HOUSE.services.map(({ characteristics: _, ...one }) => one)
    const characteristicServiceLinks = HOUSE.services.flatMap(({ code, characteristics }) =>
      characteristics.map((one) => ({ serviceCode: code, characteristicCode: one.code })),
    )
    expect(typesOf({ ...HOUSE, services, characteristicServiceLinks }).text).toBe(typesOf(HOUSE).text)
  })
})

test('records that are only linked have unknown values, and are named', () => {
  const characteristicServiceLinks = [{ characteristicCode: 'days', serviceCode: 'climate' }]
  const { text, unknown } = typesOf({ componentModels: HOUSE.componentModels, characteristicServiceLinks })
  expect(unknown).toEqual(['characteristics/days', 'services/climate', 'services/extra~1all'])
  expect(text).toContain(`  /** The models link it and do not describe it. */
  readonly days: { readonly value: unknown; readonly type: 'MEASUREMENT' | 'SETTING' }
`)
  expect(text).toContain(`  readonly 'extra~1all': {}\n`)
})

/** The size of the types where each of so many component models offers each of so many characteristics. */
function sizeOf(count: number): number {
  const codes = Array.from({ length: count }, (_, index) => `c${index + 1_000}`)
  const services = ['a', 'b'].map((code) => ({
    code,
    name: code,
    characteristics: codes.map((one) => ({ code: one })),
  }))
  const offered = services.map(({ code }) => ({ code }))
  return typesOf({
    characteristics: codes.map((code) => characteristic(code)),
    services,
    componentModels: codes.map((code) => ({ code, name: code, componentType: 'DEVICE', services: offered })),
  }).text.length
}

test('the text grows with the models, and not with the paths through their links', () => {
  expect(sizeOf(400) / sizeOf(100)).toBeLessThan(4.1)
})

/** Texts that may end a comment, a string, a line or a type, or that look like something else. */
const HOSTILE = [
  '*/',
  '/* */ // x',
  "it's",
  '"',
  `'"'`,
  '\\',
  "\\'",
  '`${x}`',
  '__proto__',
  'constructor',
  '@ts-expect-error',
  '  @ts-ignore',
  '@deprecated',
  'a\u2028b\u2029c',
  'größe',
  '日本語',
  '😀👩‍🔧🇨🇭',
  '\u202eabc',
  '12',
  '1e3',
  '-0',
  'a\tb\r\nc\rd',
  '*',
  '/',
  '~/~',
  '\u00a0x',
  'x\ufeffx',
  '𝒳',
  'x'.repeat(130),
  'y '.repeat(32_768),
]
const asKeys = HOSTILE.map((text) => text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}]/gu, '-').slice(0, 200))
const keys = [...new Set(asKeys)]
const house = (text: string, code: string) => ({
  name: text,
  description: `${text}\n\n  ${text.slice(0, 30_000)}  \n*/`.slice(-65_536),
  code,
})

const HOSTILE_MODEL = {
  characteristics: keys.map((code, index) => ({
    ...house(HOSTILE[index] ?? '', code),
    characteristicType: 'SETTING',
    dataType: 'SELECT',
    symbol: HOSTILE[index] ?? '',
    multiple: index % 2 === 0,
    options: options(...new Set([...HOSTILE.slice(index, index + 6), 'last'])),
  })),
  services: keys.map((code, index) => ({
    ...house(HOSTILE[index] ?? '', code),
    characteristics: keys.slice(index, index + 3).map((one) => ({ code: one })),
  })),
  componentModels: keys.map((code, index) => ({
    ...house(HOSTILE[index] ?? '', code),
    componentType: 'DEVICE',
    services: keys.slice(0, index % 6).map((one) => ({ code: one })),
  })),
  eventModels: keys.map((code, index) => ({
    code,
    message: HOSTILE[index],
    eventType: 'RANGED',
    entityType: 'SYSTEM',
  })),
  metadataTypes: keys.map((key, index) => ({
    key,
    entityType: 'USER',
    dataType: 'INTEGER',
    description: HOSTILE[index],
  })),
}

describe('the text is as Prettier lays it out', () => {
  test.each(Object.entries({ HOUSE, HOSTILE_MODEL, nothing: {} }))('of %s', async (_, document) => {
    const { text } = typesOf(document)
    expect(await format(text, STYLE)).toBe(text)
  })

  test('of any model', async () => {
    await fc.assert(
      fc.asyncProperty(modelArbitrary(), async (model) => {
        const { text } = typesOf(model)
        expect(await format(text, STYLE)).toBe(text)
      }),
      { numRuns: runsOf('TYPES_RUNS', { sample: 25, long: 1_000 }) },
    )
  })

  test('at every width of a line', async () => {
    const widths = Array.from({ length: 75 }, (_, index) => index + 1)
    const services = widths.map((width) => ({ code: 's'.repeat(width), name: '' }))
    const { text } = typesOf({
      characteristics: widths.flatMap((width) => [selectOf(width, false), selectOf(width, true)]),
      services,
      componentModels: widths.map((width) => ({
        code: `m${width}`,
        name: '',
        componentType: 'DEVICE',
        services: services.slice(width, width + 2).map(({ code }) => ({ code })),
      })),
    })
    expect(await format(text, STYLE)).toBe(text)
  })
})

function selectOf(width: number, multiple: boolean) {
  const keys = options('a'.repeat(width), 'b'.repeat(width))
  return characteristic(`${multiple ? 'm' : 's'}${width}`, { dataType: 'SELECT', multiple, options: keys })
}

const USE = `
import type { Model as House } from './house.ts'
import type { Model as Hostile } from './hostile.ts'

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
function same<One, Other>(..._: Same<One, Other> extends true ? [] : ['they differ']): void {}
type Thermostat = House['componentModels']['thermostat']

same<keyof Thermostat, 'climate/temperature' | 'climate/mode' | 'climate/days' | 'extra~1all/count' | 'extra~1all/curve' | 'extra~1all/boolean'>()
same<Thermostat['climate/temperature'], { readonly value: number; readonly type: 'MEASUREMENT' }>()
same<Thermostat['climate/mode']['value'], 'comfort' | 'eco'>()
same<Thermostat['climate/mode']['type'], 'SETTING'>()
same<Thermostat['climate/days']['value'], readonly ('mo' | 'tu')[]>()
same<Thermostat['extra~1all/count']['value'], number | string>()
same<Thermostat['extra~1all/curve']['value'], unknown>()
same<Thermostat['extra~1all/boolean']['value'], boolean>()
same<keyof House['componentModels']['bare'], never>()
same<House['eventModels']['window-open']['eventLevel'], 'WARNING'>()
same<House['metadata']['COMPONENT'], { readonly serial: string }>()
same<House['metadata']['SYSTEM']['floor no'], number | string>()
same<keyof House['metadata']['USER'], never>()
// @ts-expect-error
same<Thermostat['climate/mode']['value'], 'comfort'>()
// @ts-expect-error
export type Mistyped = Thermostat['climate/mod']

export const names: readonly (keyof Hostile['metadata']['USER'])[] = KEYS
type Components<Model extends { componentModels: Record<string, Record<string, { value: unknown; type: string }>> }> = keyof Model['componentModels']
export const one: Components<House> = 'thermostat'
`

test('the types compile, whatever the names are, and are what an app needs', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-types-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const file = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  file('house.ts', typesOf(HOUSE).text)
  file('hostile.ts', typesOf(HOSTILE_MODEL).text)
  file(
    'use.ts',
    USE.replace('KEYS', () => JSON.stringify(keys)),
  )
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
  const checks = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--isolatedModules']
  const words = [tsc, '--noEmit', '--ignoreConfig', '--allowImportingTsExtensions', '--types', '', ...checks]
  const { stdout } = await promisify(execFile)(process.execPath, [...words, 'use.ts'], { cwd }).catch(
    (error: { readonly stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
