import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExact } from '../../src/lib/exact-number.ts'

test.each([
  '0',
  '-0',
  '0.1',
  '1.50',
  '100000000000000000000e-20',
  '9007199254740991',
  '9007199254740992',
  '100000000000000000000',
  '-9007199254740991',
  '1e21',
  '1.5E+3',
  '0.30000000000000004',
  '5e-324',
  '0e999',
  '0.0000000000000000000',
])('%s survives', (literal) => expect(isExact(literal)).toBe(true))

test.each([
  '9007199254740993',
  '9223372036854775807',
  '18446744073709551615',
  '1e400',
  '-1e309',
  '1e-400',
  '0.1000000000000000055',
  '3.14159265358979323846',
  '12345678901234567890.5',
])('%s does not', (literal) => expect(isExact(literal)).toBe(false))

test('property: every number survives as it is written by default, if it is no unsafe integer', () => {
  const number = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
  fc.assert(
    fc.property(number, (value) => {
      expect(isExact(String(value))).toBe(true)
    }),
  )
})

test('property: 15 significant digits always survive', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
      fc.integer({ min: -290, max: 290 }),
      (digits, exponent) => {
        expect(isExact(`${digits}e${exponent}`)).toBe(true)
        expect(isExact(`-${digits}.0`)).toBe(true)
      },
    ),
  )
})
