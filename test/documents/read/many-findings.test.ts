import { afterEach, describe, expect, it, vi } from 'vitest'
import { readDocument } from '../../../src/documents/read/read-document.ts'
import { readSentDocument, type SentDocument } from '../../../src/documents/read/sent-document.ts'

const COUNT = 5_000

function read(form: 'json' | 'yaml', text: string): SentDocument {
  return readSentDocument(Buffer.from(text), form)
}

function codesOf({ diagnostics }: SentDocument): { readonly [code: string]: number } {
  return Object.fromEntries([...Map.groupBy(diagnostics, ({ code }) => code)].map(([code, all]) => [code, all.length]))
}

describe('a file with too many mistakes', () => {
  it.each([
    ['repeated keys in JSON', 'json', `{${'"a": 1, '.repeat(COUNT)}"a": 1}`, 'duplicate-key'],
    ['repeated keys in YAML', 'yaml', 'a: 1\n'.repeat(COUNT), 'duplicate-key'],
    ['texts in YAML', 'yaml', `dataSources:\n${'  - "\\0"\n'.repeat(COUNT)}`, 'nul-character'],
    ['numbers in JSON', 'json', `{"dataSources": [${'9007199254740993, '.repeat(COUNT)}1]}`, 'number-not-exact'],
    ['numbers in YAML', 'yaml', `dataSources:\n${'  - 9007199254740993\n'.repeat(COUNT)}`, 'number-not-exact'],
  ] as const)('tells the first of them and says that more follow: %s', (_, form, text, code) => {
    const sent = read(form, text)
    expect(codesOf(sent)).toStrictEqual({ [code]: 1_000, 'too-many-findings': 1 })
    expect(sent.diagnostics.at(-1)).toMatchObject({ severity: 'error', code: 'too-many-findings' })
    expect(sent.isBroken).toBe(true)
  })

  it('is not read further for numbers whose paths are too long to keep', () => {
    const depth = 90
    const text = `{"dataSources": ${'['.repeat(depth)}${'9007199254740993, '.repeat(25_000)}1${']'.repeat(depth)}}`
    expect(codesOf(read('json', text))).toStrictEqual({ 'too-many-long-numbers': 1 })
  })

  it('keeps many whole numbers that fields take', () => {
    const record = { code: 's', name: 'S', metadataKeyValueStore: [{ key: 'a', value: 0 }] }
    const records = Array.from({ length: 1_500 }, () => record)
    const sent = read('json', JSON.stringify({ services: records }).replaceAll('"value":0', '"value":9007199254740993'))
    expect(sent.diagnostics).toStrictEqual([])
    expect(sent.document.services?.[1_499]).toMatchObject({
      metadataKeyValueStore: [{ value: { integer: '9007199254740993' } }],
    })
  })
})

it('counts the metadata values that are kept as numbers beyond the first thousand', () => {
  const record = { code: 's', name: 'S', metadataKeyValueStore: [{ key: 'a', value: 0 }] }
  const text = JSON.stringify({ services: Array.from({ length: 1_500 }, () => record) }).replaceAll(':0}', ':20.0}')
  const { diagnostics } = read('json', text)
  expect(codesOf({ diagnostics } as SentDocument)).toStrictEqual({ 'metadata-rewritten': 1_001 })
  expect(diagnostics.at(-1)?.message).toMatch(/^500 metadata values from here on are kept as numbers, too/)
})

it('describes the first mistakes of shape, and checks nothing else then', () => {
  const { diagnostics, snapshot } = readDocument({ services: Array.from({ length: COUNT }, () => 1) })
  expect(codesOf({ diagnostics } as SentDocument)).toStrictEqual({ 'wrong-type': 1_000, 'too-many-findings': 1 })
  expect(diagnostics.at(-1)).toMatchObject({ severity: 'error', code: 'too-many-findings', pointer: '' })
  expect(snapshot.size).toBe(0)
})

describe('a number of many digits', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each(['json', 'yaml'] as const)('is refused without converting it: %s', (form) => {
    const conversions: string[] = []
    const convert = BigInt
    vi.stubGlobal('BigInt', (digits: string) => {
      conversions.push(digits)
      return convert(digits)
    })
    expect(codesOf(read(form, `{"dataSources": [{"code": ${'9'.repeat(400)}}]}`))).toStrictEqual({
      'number-not-exact': 1,
    })
    expect(conversions).toStrictEqual([])
  })
})
