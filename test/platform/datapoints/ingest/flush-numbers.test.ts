import { expect, it } from 'vitest'
import { FlushNumbers } from '../../../../src/platform/datapoints/ingest/flush-numbers.ts'

it('expects that no other process draws numbers until one does, and again after 16 numbers in a row', () => {
  const numbers = new FlushNumbers(10)
  numbers.note(11)
  expect(numbers.isAlone).toBe(true)
  const expected = Array.from({ length: 17 }, (_, index) => {
    numbers.note(13 + index)
    return numbers.isAlone
  })
  expect(expected).toStrictEqual([...Array.from({ length: 16 }, () => false), true])
})

it('settles no number from its present flush on, nor any more once the answer of a flush was lost', () => {
  const numbers = new FlushNumbers(10)
  numbers.begin()
  expect(numbers.settledUpTo(15)).toBe(10)
  numbers.note(12)
  numbers.end()
  expect(numbers.settledUpTo(15)).toBe(15)
  // Without an end.
  numbers.begin()
  numbers.begin()
  expect(numbers.settledUpTo(20)).toBe(12)
})
