import { expect, it } from 'vitest'
import { Merger } from '../../../src/documents/read/merge.ts'
import { WrittenList } from '../../../src/documents/read/written-list.ts'
import { isWithin } from '../../../src/lib/pointer.ts'

const COUNT = 500

it('reads each damaged value a few times, however many keys and documents the file has', () => {
  let reads = 0
  const damaged = Array.from({ length: COUNT }, (_, document) => ({
    document,
    get path() {
      reads += 1
      return ['dataSources', '0', 'code']
    },
  }))
  const unknown = Object.fromEntries(damaged.map((_, index) => [`q${index}`, 1]))
  const documents = damaged.map((_, index) => ({ dataSources: [{}], ...(index === 0 && unknown) }))
  const source = { path: 'a.yaml', bytes: new Uint8Array() }
  const merger = new Merger((list) => (list instanceof WrittenList ? list : WrittenList.of(list)))
  merger.add({ source, documents, diagnostics: [], damaged, rewritten: [], mayHoldReferences: false })
  expect(merger.damaged).toHaveLength(COUNT)
  expect(merger.damaged.at(-1)).toBe(`/dataSources/${COUNT - 1}/code`)
  expect(merger.findings).toHaveLength(COUNT)
  expect(reads).toBeLessThan(5 * COUNT)
})

it.each([
  ['/a/0', true],
  ['/a/0/b/c', true],
  ['/a/00', false],
  ['/a', false],
  ['', false],
])('tells whether %s is a damaged value or inside of one', (pointer, expected) => {
  expect(isWithin(pointer, new Set(['/a/0', '/b']))).toBe(expected)
})
