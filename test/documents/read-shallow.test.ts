import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspectJson } from '../../src/documents/json/inspect-json.ts'
import { readShallow } from '../../src/documents/read/read-file.ts'
import { WrittenList } from '../../src/documents/read/written-list.ts'
import { runsOf } from '../support/runs.ts'

const MAX_DEPTH = 5

/** The whole value, where the text was sure to be right. */
function outlined(text: string | Uint8Array): unknown {
  const members = readShallow(Buffer.from(text as string), MAX_DEPTH)
  if (members === undefined) return undefined
  const values = Object.entries(members).map(([key, value]) => [
    key,
    value instanceof WrittenList ? value.values() : value,
  ])
  return Object.fromEntries(values)
}

describe('a file that is sure to be right', () => {
  test.each([
    '{}',
    ' { "a" : [ ] } \n',
    '{"a":[1,-0.5,"x",true,false,null,{"b":[{}]}],"b":[]}',
    '{"$schema":"x","a":{"b":[1]},"c":[[],[1]]}',
    String.raw`{"a":["\"\\\/\b\f\n\r\t\u00b0é😀"]}`,
    '\ufeff{"a":[1]}',
  ])('%s', (text) => {
    expect(outlined(text)).toEqual(JSON.parse(text.replace('\ufeff', '')))
  })

  test('says how many records each list has', () => {
    const { a, b } = readShallow(Buffer.from('{"a": [ {"x": [1, 2, 3]}, 2 ], "b": []}'), MAX_DEPTH) ?? {}
    expect([a, b].map((list) => (list as WrittenList).length)).toEqual([2, 0])
  })
})

describe('a closer look is needed where', () => {
  test.each<[why: string, text: string | Uint8Array]>([
    ['it is no object', '[]'],
    ['it is empty', ''],
    ['it ends too soon', '{"a":[1'],
    ['it goes on', '{} {}'],
    ['a comma is missing', '{"a":[1 2]}'],
    ['a comma is too many', '{"a":[1,]}'],
    ['a key stands twice', '{"a":[{"b":1,"c":2,"b":3}]}'],
    ['a key stands twice in the root', '{"a":[],"a":[]}'],
    ['a key has an escape', String.raw`{"\u0061":1}`],
    ['there is a forbidden key', '{"a":[{"__proto__":1}]}'],
    ['there is U+FEFF', '{"a":["\ufeffx"]}'],
    ['an escape can be the half of a pair', String.raw`{"a":["\ud800"]}`],
    ['an escape can be a NUL', String.raw`{"a":["\u0000"]}`],
    ['an escape can begin a reference', String.raw`{"a":["\u0024{env:A}"]}`],
    ['a number is long', '{"a":[0.1234567890123456]}'],
    ['a number has an exponent', '{"a":[1e400]}'],
    ['a number has a leading zero', '{"a":[01]}'],
    ['a word is wrong', '{"a":[nul]}'],
    ['a control character stands in a text', '{"a":["\t"]}'],
    ['it is nested deeply', '{"a":[[[[[1]]]]]}'],
    ['it is not UTF-8', Buffer.from([...Buffer.from('{"a":["'), 0xff, ...Buffer.from('"]}')])],
    ['an object has very many keys', JSON.stringify({ a: Object.fromEntries(Array(2000).fill(0).entries()) })],
  ])('%s', (_, text) => {
    expect(outlined(text)).toBeUndefined()
  })
})

describe('property', () => {
  const token = fc.constantFrom(...'{}[],:"a\\-01.eE tn', '"a"', '"b"', 'null', 'true', String.raw`"\u0041"`, '\u0000')
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.constantFrom(true, false, null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 3 }), tie('any'), { maxKeys: 4 }),
    ),
  })).any
  const document = fc.tuple(fc.dictionary(fc.string({ maxLength: 3 }), value), fc.constantFrom(0, 1, '\t'))
  const text = document.map(([members, indent]) => JSON.stringify(members, null, indent))
  const damaged = fc.tuple(text, fc.array(fc.tuple(fc.nat(), token, fc.nat(2)), { maxLength: 2 })).map(([json, cuts]) =>
    cuts.reduce((damage, [place, put, cut]) => {
      const at = place % (damage.length + 1)
      return damage.slice(0, at) + put + damage.slice(at + cut)
    }, json),
  )

  test('what is taken to be right is right, and says the same', () => {
    fc.assert(
      fc.property(damaged, (json) => {
        const found = outlined(json)
        fc.pre(found !== undefined && json.isWellFormed())
        const { findings, longNumbers } = inspectJson(json, MAX_DEPTH).found
        expect([...findings, ...longNumbers]).toEqual([])
        expect(JSON.stringify(found)).toBe(JSON.stringify(JSON.parse(json)))
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 200, long: 3_000 }) },
    )
  })

  test('plain records need no closer look', () => {
    const plain = fc.record({ code: fc.string({ unit: fc.constantFrom(...'aé°😀"\\\n') }), step: fc.integer() })
    fc.assert(
      fc.property(fc.array(plain), (services) => {
        expect(outlined(JSON.stringify({ services }))).toEqual({ services })
      }),
    )
  })
})
