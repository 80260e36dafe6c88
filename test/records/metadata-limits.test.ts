import { expect, it } from 'vitest'
import { metadataExcess } from '../../src/records/metadata-limits.ts'
import type { Json } from '../../src/lib/json.ts'

const isTooMuch = (count: number, value: Json) =>
  metadataExcess(Array.from({ length: count }, () => ({ key: 'k', value }))) !== null

it.each([
  ['texts that only seem too long before they are written', 200, { string: 'v'.repeat(65) }, false],
  ['a few bytes too much of texts', 200, { string: 'v'.repeat(70) }, true],
  ['characters that JSON escapes', 1, { string: '\u0001'.repeat(2_730) }, true],
  ['characters that JSON escapes, and fit', 1, { string: '\u0001'.repeat(2_720) }, false],
  ['characters of three bytes', 1, { string: '€'.repeat(5_460) }, true],
  ['the longest numbers', 200, { float: -1.234_567_890_123_456e-300 }, false],
  ['a list, which has no quick bound', 1, { string: ['v'.repeat(16_400)] }, true],
])('counts the bytes of metadata as JSON: %s', (_, count, value, expected) => {
  expect(isTooMuch(count, value)).toBe(expected)
})
