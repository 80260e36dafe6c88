import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/documents/read/read-document.ts'
import { DOCUMENT_TYPE_NAMES } from '../../src/records/record-type.ts'
import { modelArbitrary, mutationArbitrary } from './random-model.ts'
import { runsOf } from './runs.ts'
import type { Model } from './valid-model.ts'

/** RANDOM_MODEL_RUNS sets another number. */
const numRuns = runsOf('RANDOM_MODEL_RUNS', { sample: 30, long: 300 })

const mutated = modelArbitrary().chain((before) => fc.tuple(fc.constant(before), mutationArbitrary(before)))
const samples = fc.sample(modelArbitrary(), { seed: 1, numRuns: 100 })

test('every random document is valid and refers only to its own records', () => {
  fc.assert(
    fc.property(modelArbitrary(), (model) => {
      expect(problemsOf(model)).toEqual([])
    }),
    { numRuns },
  )
})

test('so is every document that was made out of one', () => {
  fc.assert(
    fc.property(mutated, ([, after]) => {
      expect(problemsOf(after)).toEqual([])
    }),
    { numRuns },
  )
})

test('a document holds nothing that JSON cannot say', () => {
  expect(JSON.parse(JSON.stringify(samples))).toEqual(samples)
})

test.each(DOCUMENT_TYPE_NAMES)('%s occur with records, empty and not at all', (type) => {
  const sizes = samples.map((model) => model[type]?.length)
  expect(sizes).toEqual(expect.arrayContaining([undefined, 0, 1, 3]))
})

test('links occur in both spellings, and units below units', () => {
  const text = JSON.stringify(samples)
  expect(text).toMatch(/"characteristics":\[\{"code":"[^"]*"\}/)
  expect(text).toMatch(/"services":\[\{"code":"[^"]*"/)
  expect(text).toContain('"characteristicCode"')
  expect(text).toContain('"componentModelCode"')
  expect(text).toMatch(/"directChildren":\[\{/)
})

test('most mutations change the text of a document', () => {
  const pairs = fc.sample(mutated, { seed: 1, numRuns: 50 })
  const changed = pairs.filter(([before, after]) => JSON.stringify(before) !== JSON.stringify(after))
  expect(changed.length).toBeGreaterThan(25)
})

function problemsOf(model: Model): unknown[] {
  const { diagnostics, external } = readDocument(model)
  return [...diagnostics.filter(({ severity }) => severity === 'error'), ...external]
}
