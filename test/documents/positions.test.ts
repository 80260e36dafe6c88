import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNode, isPair, LineCounter, parseDocument, stringify, type Document } from 'yaml'
import { toPointer } from '../../src/lib/pointer.ts'
import { linesOf, loadFiles } from './load-files.ts'

function positionsIn(files: { readonly [path: string]: string }, ...pointers: string[]) {
  const found = loadFiles(files).locate(pointers)
  return pointers.map((pointer) => {
    const place = found.get(pointer)
    return place === undefined ? null : `${place.file}:${place.line}:${place.column}`
  })
}

describe('where a pointer stands', () => {
  const files = {
    'a.yaml': 'services:\n  - code: a\n    # the name\n    name: Ä\n---\nservices:\n- {code: b}\n',
    'b.json': '{\n  "$schema": "°😀", "services": [\n    {"code": "c", "a/b": ["é", {"x": null}]}]}',
  }
  test.each([
    ['a member: at its key', '/services/0/name', 'a.yaml:4:5'],
    ['a record: at its first token', '/services/0', 'a.yaml:2:5'],
    ['a record in a later document of a file', '/services/1', 'a.yaml:7:3'],
    ['a record in a later file', '/services/2', 'b.json:3:5'],
    ['an element of a list', '/services/2/a~1b/1', 'b.json:3:32'],
    ['a member below it', '/services/2/a~1b/1/x', 'b.json:3:33'],
    ['what is not there: at its nearest ancestor', '/services/2/a~1b/7/deep', 'b.json:3:19'],
    ['a member of a text: at the text', '/services/0/code/x', 'a.yaml:2:5'],
    ['a record behind the last one: at the list', '/services/3', 'a.yaml:1:1'],
    ['a list in several files: in the first one', '/services', 'a.yaml:1:1'],
    ['a record type that is in no file: nowhere', '/users/0', null],
    ['the whole document: nowhere', '', null],
  ])('%s', (_, pointer, expected) => {
    expect(positionsIn(files, pointer)).toEqual([expected])
  })

  test('columns count UTF-16 code units, also behind characters of many bytes', () => {
    expect(
      positionsIn({ 'a.json': '{"services": ["ä", "°€", "😀", 1]}' }, '/services/1', '/services/2', '/services/3'),
    ).toEqual(['a.json:1:20', 'a.json:1:26', 'a.json:1:32'])
    expect(positionsIn({ 'a.yaml': 'services: [ä, °€, 😀, 1]' }, '/services/3')).toEqual(['a.yaml:1:23'])
  })

  test('a byte order mark is no column', () => {
    expect(positionsIn({ 'a.json': '\ufeff{"services": [1]}' }, '/services/0')).toEqual(['a.json:1:15'])
  })

  test('block texts, quotes, tags, anchors and aliases are found where they begin', () => {
    const text =
      'services:\n  - |-\n    text\n  - >2 # folded\n\n      text\n  - "q"\n  - !!str 1\n  - &x\n    a: 1\n  - *x\n'
    expect(
      positionsIn({ 'a.yaml': text }, ...[0, 1, 2, 3, 4, 5].map((index) => `/services/${index}`), '/services/5/a'),
    ).toEqual(['2:5', '4:5', '7:5', '8:5', '9:5', '11:5', '11:5'].map((place) => `a.yaml:${place}`))
  })

  test('keys with escapes are found', () => {
    expect(
      positionsIn(
        { 'a.json': String.raw`{"services": [{"\u0061\"": 1, "~1/": 2}]}` },
        '/services/0/a"',
        '/services/0/~01~1',
      ),
    ).toEqual(['a.json:1:16', 'a.json:1:31'])
  })
})

const key = fc
  .oneof(fc.constantFrom('code', 'a/b', 'x y', 'é', '~', '0'), fc.string({ minLength: 1, maxLength: 4 }))
  .filter((text) => text !== '__proto__' && !text.startsWith('\ufeff'))
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('two\nlines\n', ': ', '# no', '"', '{}', 'true', '1e3', '😀"\\'),
  )
  .filter((value) => !/[\0\ufeff]/.test(value))
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

/** Every path below the list of records. */
function pathsIn(value: unknown, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap((key) => {
    const below = [...path, key]
    return [below, ...pathsIn((value as { [key: string | number]: unknown })[key], below)]
  })
}

/** The same position as the package `yaml` knows it, which keeps the range of every node (a JSON text is YAML, too). */
function referencePosition(document: Document, lines: LineCounter, path: readonly (string | number)[]): string {
  const parent = document.getIn(path.slice(0, -1), true) as { items: readonly unknown[] }
  const last = path.at(-1)
  const item =
    typeof last === 'number'
      ? parent.items[last]
      : parent.items.find((pair) => isPair(pair) && String(pair.key) === last)
  const node = isPair(item) ? item.key : item
  const { line, col } = lines.linePos(isNode(node) ? (node.range?.[0] ?? -1) : -1)
  return `${line}:${col}`
}

/** The positions of everything in a file with these services, found by both. */
function bothPositions(file: string, source: string, services: unknown): { found: object; reference: object } {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  const loaded = loadFiles({ [file]: source })
  const paths = pathsIn(services, ['services'])
  const places = loaded.locate(paths.map(toPointer))
  const found = paths.map((path) => [
    path,
    `${places.get(toPointer(path))?.line}:${places.get(toPointer(path))?.column}`,
  ])
  const reference = paths.map((path) => [path, referencePosition(document, lines, path)])
  return { found: [linesOf(loaded), loaded.document, found], reference: [[], { services }, reference] }
}

describe('property: positions are those that a parser with positions gives', () => {
  // The other parser writes a merge key without quotes.
  const records = fc
    .array(anyValue, { maxLength: 4 })
    .filter((value) => !['${', '"<<"'].some((taken) => JSON.stringify(value).includes(taken)))

  test('in JSON, however it is spaced', () => {
    fc.assert(
      fc.property(records, fc.constantFrom('', '  ', '\t', '\r\n '), (services, indent) => {
        const { found, reference } = bothPositions('a.json', JSON.stringify({ services }, null, indent), services)
        expect(found).toEqual(reference)
      }),
    )
  })

  test('in YAML, in block and flow style', () => {
    fc.assert(
      fc.property(
        records,
        fc.constantFrom('flow', 'any'),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        (services, collectionStyle, indentSeq, indent) => {
          const style = { collectionStyle: collectionStyle as 'any', indentSeq, indent, aliasDuplicateObjects: false }
          const { found, reference } = bothPositions('a.yaml', stringify({ services }, style), services)
          expect(found).toEqual(reference)
        },
      ),
    )
  })
})
