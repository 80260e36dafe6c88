import * as fc from 'fast-check'
import { loadAll } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parseYaml } from '../../src/documents/yaml/parse-yaml.ts'

function parse(text: string) {
  return parseYaml(text, 100, { limit: 1000, left: 1000 })
}

describe('the core schema of YAML 1.2', () => {
  test.each([
    ['yes', 'yes'],
    ['on', 'on'],
    ['2024-01-31', '2024-01-31'],
    ['12:30:45', '12:30:45'],
    ['1_000', '1_000'],
    ['true', true],
    ['False', false],
    ['~', null],
    ['', null],
    ['0o17', 15],
    ['017', 17],
    ['0x1F', 31],
    ['-1.5e3', -1500],
    ['+1', 1],
    ['.5', 0.5],
    ['1.', 1],
    ['-x', '-x'],
    ['1.2.3', '1.2.3'],
    ['nullable', 'nullable'],
    ['!!str 1', '1'],
    ['!!int "1"', 1],
    ['!!float 1', 1],
    ['!<tag:yaml.org,2002:str> 1', '1'],
    ['! 1', '1'],
    ['"1"', '1'],
    ['|\n  1\n', '1\n'],
  ])('%s', (written, value) => {
    expect(parse(`- ${written}\n`)).toEqual({ documents: [[value]], findings: [] })
  })

  test('a merge key is one only in quotes', () => {
    expect(parse('"<<": {a: 1}\n').documents).toEqual([{ '<<': { a: 1 } }])
    expect(parse('<<: {a: 1}\n').findings).toMatchObject([{ code: 'merge-key', offset: 0 }])
  })

  test('names of members of every object are keys like all others', () => {
    expect(parse('constructor: 1\ntoString: 2\n')).toEqual({
      documents: [{ constructor: 1, toString: 2 }],
      findings: [],
    })
  })
})

describe('anchors and aliases', () => {
  test('an alias stands for a value of its own', () => {
    const [document] = parse('- &a {b: [1]}\n- *a\n').documents as [{ b: number[] }[]]
    expect(document).toEqual([{ b: [1] }, { b: [1] }])
    document[0]?.b.push(2)
    expect(document[1]).toEqual({ b: [1] })
  })

  test('the nearest anchor above counts, and none of another document', () => {
    expect(parse('[&a 1, *a, &a 2, *a]').documents).toEqual([[1, 1, 2, 2]])
    expect(parse('&a 1\n---\n*a\n').findings).toEqual([expect.objectContaining({ code: 'unknown-alias' })])
  })

  test('a text behind an alias can be a key', () => {
    expect(parse('[&a name, {*a : 1}]').documents).toEqual([['name', { name: 1 }]])
  })
})

const isFilled = (document: unknown) => document !== null

function textOf(tokens: readonly string[]) {
  return fc.array(fc.constantFrom(...tokens), { maxLength: 14 }).map((chosen) => chosen.join(''))
}

describe('property: what is accepted is read like by other parsers', () => {
  const tokens = [
    'a',
    'b: ',
    '- ',
    '? ',
    ': ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ', ',
    '&x ',
    '*x',
    '!!str ',
    '#',
    ' ',
    '\n',
    '\n  ',
    '\n---\n',
    '1',
    '0x1',
    '-1.5',
    '~',
    'true',
    '\\n',
    'é',
  ]
  test('js-yaml: the same values, and all that it refuses is refused', () => {
    fc.assert(
      fc.property(textOf([...tokens, '|', '>-', '...']), (text) => {
        const { documents, findings } = parse(text)
        expect(findings.length === 0 ? documents : []).toEqual(findings.length === 0 ? loadAll(text) : [])
      }),
      { numRuns: 1000 },
    )
  })

  // Without block texts: the two differ about those that hold nothing but blanks.
  test('yaml: the same values where both accept a text', () => {
    fc.assert(
      fc.property(textOf(tokens), (text) => {
        const { documents, findings } = parse(text)
        const reference = parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: true })
        const comparable =
          Array.isArray(reference) && reference.every(({ errors, warnings }) => errors.length + warnings.length === 0)
        fc.pre(findings.length === 0 && documents.length > 0 && comparable)
        // The two count documents in which nothing stands differently.
        expect(documents.filter(isFilled)).toEqual(
          reference.map((document) => document.toJS() as unknown).filter(isFilled),
        )
      }),
      { numRuns: 300 },
    )
  })
})
