import { dump, load } from 'js-yaml'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentYaml, SCHEMA } from '../../../src/documents/write/document-yaml.ts'
import { writtenForm } from '../../../src/documents/write/written-form.ts'
import type { Json } from '../../../src/lib/json.ts'
import { runsOf } from '../../support/runs.ts'
import { characteristic } from '../../reconcile/sample.ts'

const many = Array.from({ length: 250 }, (_, index) =>
  characteristic(`c${index}`, { description: index % 7 === 0 ? 'two\nlines' : null, options: [] }),
)

describe('a document as YAML', () => {
  test.each([
    ['of many records', { characteristics: many, services: [], users: [{ email: 'a@example.org' }] }],
    ['without records', { characteristics: [], services: [] }],
    ['of nothing', {}],
  ])('%s is the same as if it were written at once', (_, document) => {
    expect([...documentYaml(document)].join('')).toBe(dump(document, { lineWidth: -1, noRefs: true }))
  })

  test('is, whatever its texts, keys and numbers are, what js-yaml writes of it', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'on',
        'No',
        'y',
        'NULL',
        'false',
        'nan',
        '.inf',
        '0x1f',
        '1e400',
        '1_000',
        '2020-01-01',
        '=',
        '~',
        '<<',
      ),
      fc.constantFrom(
        'two\nlines',
        ' a',
        'a ',
        'a: b',
        'a #b',
        '- a',
        '°C',
        'a\u00a0b',
        'a\u00adb',
        'é',
        '---',
        '${a}',
        '',
        "it's",
      ),
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 1e21, 1e-7)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(word, fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,5}$/)), tie('value'), { maxKeys: 4 }),
      ),
    })) as { value: fc.Arbitrary<Json> }
    fc.assert(
      fc.property(fc.array(value, { minLength: 21, maxLength: 25 }), (list) => {
        const text = [...documentYaml({ list })].join('')
        expect(text).toBe(dump({ list }, { lineWidth: -1, noRefs: true, schema: SCHEMA }))
      }),
      { numRuns: runsOf('YAML_RUNS', { sample: 200, long: 20_000 }) },
    )
  })

  test.each([1, 21, 40])('is one document, also with a text of %i records that ends with empty lines', (count) => {
    const list = Array.from({ length: count }, (_, index) => ({
      code: `c${index}`,
      note: index % 3 === 0 ? 'a "b"\n\n' : '',
    }))
    expect(load([...documentYaml({ list, others: list })].join(''))).toEqual({ list, others: list })
  })

  test('comes in pieces', () => {
    const pieces = [...documentYaml({ characteristics: many })]
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(pieces.join('').length / 5)
  })
})

test('a literal `${` is escaped wherever it stands, and a record without one is not copied', () => {
  const plain = characteristic('a', { options: [{ key: 'k', label: 'l', meta: [] }] })
  const inside = characteristic('b', { options: [{ key: 'k', label: '${x}', meta: [] }] })
  const { characteristics } = writtenForm({ characteristics: [plain, inside] }) as { characteristics: unknown[] }
  expect(characteristics[0]).toBe(plain)
  expect(characteristics[1]).toEqual({ ...inside, options: [{ key: 'k', label: '$${x}', meta: [] }] })
})
