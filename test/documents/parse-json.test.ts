import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspectJson } from '../../src/documents/json/inspect-json.ts'
import { parseJson } from '../../src/documents/json/parse-json.ts'

function parse(text: string) {
  return parseJson(text, 100)
}

function accepts(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Texts that are JSON, or nearly. */
const token = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"b"',
  '"\\u0061"',
  '"\\"',
  '"\\":"',
  '1',
  '-0',
  '01',
  '1.5e3',
  '.5',
  'true',
  'nul',
  ' ',
  '\n',
  '\t',
  "'",
  '//',
)
const scraps = fc.array(token, { maxLength: 8 }).map((parts) => parts.join(''))
const damaged = fc.tuple(fc.json(), fc.nat(), token, fc.nat(2)).map(([json, at, put, cut]) => {
  const start = at % (json.length + 1)
  return json.slice(0, start) + put + json.slice(start + cut)
})
const nearlyJson = fc.oneof(scraps, damaged, fc.json())

describe('property: the inspection, which explains mistakes, agrees with JSON.parse, which only finds them', () => {
  test('on what can be read', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const syntax = inspectJson(text, 100).found.findings.filter(({ code }) => code === 'syntax')
        expect([text, syntax.length === 0]).toEqual([text, accepts(text)])
      }),
      { numRuns: 3000 },
    )
  })

  test('on duplicate keys: the quick test suspects every text that has one', () => {
    const key = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"\\":"', '"":"'.slice(0, 2))
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('1', '"x"', '"\\": "', 'null', '" : "'),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(fc.tuple(key, fc.constantFrom(':', ' : ', '\n:'), tie('value')), { maxLength: 4 })
          .map((pairs) => `{${pairs.map((pair) => pair.join('')).join(',')}}`),
      ),
    }))
    fc.assert(
      fc.property(value, (text) => {
        const { documents, findings } = parse(text)
        expect(findings).toEqual(inspectJson(text, 100).found.findings)
        expect(documents).toEqual([JSON.parse(text)])
      }),
      { numRuns: 2000 },
    )
  })

  test('on numbers, depth and texts', () => {
    const odd = fc.constantFrom(
      '9007199254740993',
      '1e400',
      '-0.1',
      '1E5',
      '0.30000000000000004',
      '"\\u0000"',
      '"\\ud800"',
      '"\\ud83d\\ude00"',
      '"\ufeff"',
      '"a\ufeff"',
      '"\\uFEFF"',
      '"__proto__"',
      '{"__proto__": 1}',
      '{"\\u005f\\u005fproto__": 1}',
      '"\\\\u0000"',
    )
    fc.assert(
      fc.property(fc.array(odd), fc.integer({ min: 0, max: 102 }), (values, depth) => {
        const text = `${'['.repeat(depth)}[${values.join(',')}]${']'.repeat(depth)}`
        const others = parse(text).findings.filter(({ code }) => code !== 'number-not-exact')
        expect(others).toEqual(inspectJson(text, 100).found.findings)
      }),
      { numRuns: 1000 },
    )
  })
})

test('the message of the engine, which quotes the text, is never shown', () => {
  expect(
    parse('{"secret": "hush" oops}')
      .findings.map(({ message }) => message)
      .join(),
  ).not.toMatch(/hush|oops/)
})
