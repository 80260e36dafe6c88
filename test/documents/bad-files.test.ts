import { describe, expect, test } from 'vitest'
import { readDocument } from '../../src/documents/read/read-document.ts'
import { checkBadFiles, linesOf, loadFiles } from './load-files.ts'

describe('files that are no text in UTF-8', () => {
  checkBadFiles([
    [
      'latin1.yaml',
      Buffer.from('services:\n  - name: Ger\u00e4t\n', 'latin1'),
      'latin1.yaml:2:14: error not-utf8: the file is not UTF-8: byte 23 (0xE4) belongs to another encoding; save the file as UTF-8.',
    ],
    [
      'replaced.json',
      Buffer.from('["\ufffd\u00e4\xff"]', 'utf8').fill(0xff, 7, 8),
      'replaced.json:1:5: error not-utf8: the file is not UTF-8: byte 7 (0xFF) belongs to another encoding; save the file as UTF-8.',
    ],
    [
      'utf16.yaml',
      Buffer.from('\uFEFFservices: []\n', 'utf16le'),
      'utf16.yaml:1:1: error not-utf8: the file is UTF-16; save it as UTF-8.',
    ],
    [
      'utf16-without-mark.json',
      Buffer.from('{"services": []}', 'utf16le'),
      'utf16-without-mark.json:1:1: error not-utf8: the file is UTF-16; save it as UTF-8.',
    ],
  ])
  test('a byte order mark at the start is accepted', () => {
    const loaded = loadFiles({ 'a.json': '\uFEFF{"services": [1]}', 'b.yaml': '\uFEFFservices: [2]\n' })
    expect(linesOf(loaded)).toEqual([])
    expect(loaded.document).toEqual({ services: [1, 2] })
    expect([...loaded.locate(['/services/0', '/services/1']).values()].map(({ column }) => column)).toEqual([15, 12])
  })
})

describe('documents that are no import document', () => {
  checkBadFiles([
    ['empty.json', '', 'empty.json:1:1: warning empty-file: the file holds no records; remove it, or add some.'],
    [
      'comments.yaml',
      '# nothing yet\n',
      'comments.yaml:1:1: warning empty-file: the file holds no records; remove it, or add some.',
    ],
    [
      'list.json',
      '[]',
      'list.json:1:1: error not-a-document: a models file is a mapping from record types to lists of records.',
    ],
    [
      'misspelt.yaml',
      'users: []\ncharacteristic: []\n',
      'misspelt.yaml:2:1: error unknown-key: "characteristic" is no record type. Did you mean "characteristics"?',
    ],
    [
      'settings-key.yaml',
      'protect: []\n',
      'settings-key.yaml:1:1: error unknown-key: protect belongs in holdfast.yaml, next to the models.',
    ],
    [
      'null.yaml',
      'characteristics:\nservices: []\n',
      'null.yaml:1:1: error null-list: characteristics has no value. Remove the key to leave these records as they are (unmanaged), or write "characteristics: []" to delete all of them.',
    ],
    [
      'one-record.yaml',
      'services:\n  code: a\n',
      'one-record.yaml:1:1: error not-a-list: services must be a list of records, even if it has only one.',
    ],
    [
      'notes.txt',
      'hello',
      'notes.txt:1:1: error unknown-file-type: only files that end in .yaml, .yml or .json are read; rename the file or remove it.',
    ],
  ])
  test('a key that is no record type and like none lists them all', () => {
    expect(linesOf(loadFiles({ 'a.yaml': 'foo: 1\n' }))[0]).toMatch(
      /"foo" is no record type\. The record types are applicationConsumers, .*, users\.$/,
    )
  })
})

test('all bad files are reported in one run, in the order of their paths, and what can be read is', () => {
  const loaded = loadFiles({ 'c.yaml': 'services: [*x]', 'a.json': '{', 'b.json': '{"users": [1]}' })
  expect(linesOf(loaded).map((line) => line.split(' ')[0])).toEqual(['a.json:1:2:', 'c.yaml:1:12:'])
  expect(loaded.document).toEqual({ services: [null], users: [1] })
})

function nested(levels: number, inside = ''): string {
  return `{"services": ${'['.repeat(levels - 1)}${inside}${']'.repeat(levels - 1)}}`
}

describe('limits', () => {
  test.each(['json', 'yaml'])('%s may be nested 100 levels deep, but not 101', (ending) => {
    expect(linesOf(loadFiles({ [`deep.${ending}`]: nested(100, '1') }))).toEqual([])
    expect(linesOf(loadFiles({ [`deep.${ending}`]: nested(101) }))).toEqual([
      expect.stringMatching(
        /error nesting-too-deep: the document is nested more than 100 levels deep, which is the limit/,
      ),
    ])
  })
  test('hundreds of thousands of levels do not harm', () => {
    const brackets = '['.repeat(300_000)
    expect(linesOf(loadFiles({ 'a.json': brackets + brackets.replaceAll('[', ']'), 'b.yaml': brackets }))).toEqual([
      expect.stringMatching(/^a\.json:1:101: error nesting-too-deep/),
      expect.stringMatching(/^b\.yaml:1:10\d: error nesting-too-deep/),
    ])
  })
  test('the files together may not be larger than the limit', () => {
    const limits = { bytes: 30 }
    expect(linesOf(loadFiles({ 'a.yaml': 'services: [1, 2]', 'b.yaml': 'users: [3, 4]' }, { limits }))).toEqual([])
    expect(linesOf(loadFiles({ 'a.yaml': 'services: [1, 2]', 'b.yaml': 'users: [3, 4, 5]' }, { limits }))).toEqual([
      'error document-too-large: the files are 32 bytes long together; the limit of an import document is 30. Move other record types to a directory of their own, which then is their owner; a single record type cannot be split',
    ])
  })
  test('aliases to aliases cannot blow a small file up', () => {
    const levels = [...'abcdefghij'].map(
      (name, index, names) =>
        `  - &${name} [${Array(10)
          .fill(index === 0 ? '1' : `*${names[index - 1]}`)
          .join(', ')}]`,
    )
    expect(linesOf(loadFiles({ 'bomb.yaml': `services:\n${levels.join('\n')}\n` }))).toEqual([
      'bomb.yaml:7:37: error too-many-aliases: aliases repeat more than 1000000 values, which is the limit (64 characters of a text count as one); write fewer aliases.',
    ])
  })
  test.each([
    ['text', 'x'.repeat(64_000)],
    ['key', `{ ? ${'x'.repeat(64_000)} : 1 }`],
  ])('aliases of a long %s cannot do so either', (_, value) => {
    const aliases = '  - *long\n'.repeat(1_001)
    const [first] = linesOf(loadFiles({ 'bomb.yaml': `services:\n  - &long ${value}\n${aliases}` }))
    expect(first).toMatch(/^bomb\.yaml:100[123]:5: error too-many-aliases: aliases repeat more than 1000000 values/)
  })
  test.each([
    ['unknown keys', 'k'],
    ['documents that are none', '---\n'],
  ])('of many %s, only the first are told', (_, start) => {
    const lines = Array.from({ length: 5_000 }, (_, index) => (start === 'k' ? `k${index}: 1` : '---\n1'))
    const found = linesOf(loadFiles({ 'a.yaml': lines.join('\n') }))
    expect(found).toHaveLength(1_001)
    expect(found.at(-1)).toMatch(/^a\.yaml:\d+:1: error too-many-findings: there are more than 1000 such mistakes/)
  })
  test('aliases cannot nest deeper than the limit either', () => {
    const deep = `services:\n  - &a ${'['.repeat(60)}${']'.repeat(60)}\n  - ${'['.repeat(60)}*a${']'.repeat(60)}\n`
    expect(linesOf(loadFiles({ 'deep.yaml': deep }))).toEqual([
      expect.stringMatching(/^deep\.yaml:3:65: error nesting-too-deep/),
    ])
  })
})

const misspelt = { cod: 'a', name: 'A', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }

/** The codes of all findings in a document of one characteristic and of links that refer to some. */
function findingsBeside(characteristic: object, codes: readonly string[]): string[] {
  const characteristicServiceLinks = codes.map((characteristicCode) => ({ characteristicCode, serviceCode: 's' }))
  const services = [{ code: 's', name: 'S' }]
  const { diagnostics } = readDocument({ characteristics: [characteristic], services, characteristicServiceLinks })
  return diagnostics.map(({ code }) => code)
}

/** How often the fields of a characteristic without a code are listed. */
function looksAmong(links: number): number {
  let count = 0
  const ownKeys = (target: object) => {
    count += 1
    return Reflect.ownKeys(target)
  }
  const codes = Array.from({ length: links }, (_, index) => `c${index}`)
  expect(findingsBeside(new Proxy(misspelt, { ownKeys }), codes)).toContain('dangling-reference')
  return count
}

describe('records whose key has a wrong name', () => {
  test('are looked at equally often however many records refer to others', () => {
    expect(looksAmong(100)).toBe(looksAmong(1))
  })

  test.each([{ cod: 'a' }, { cod: ['a'] }, { cod: 'a', name: { toString: 1 } }])(
    'excuse those that refer to them: %j',
    (wrong) => {
      expect(findingsBeside({ ...misspelt, ...wrong }, ['a'])).not.toContain('dangling-reference')
    },
  )

  test('are read with any values, whoever refers to something else', () => {
    expect(findingsBeside({ ...misspelt, name: { toString: 1 } }, ['b'])).toContain('dangling-reference')
  })
})
