import { dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { documentYaml } from '../../../src/documents/write/document-yaml.ts'
import { writtenForm } from '../../../src/documents/write/written-form.ts'
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
