import fc from 'fast-check'
import { expect, it } from 'vitest'
import { columnsOf } from '../../src/console/pages/model/record-columns.ts'
import { exactText, figureText, isBelow, markTexts, meanText } from '../../src/console/assets/analyse/figures.js'
import { setpointText } from '../../src/console/assets/analyse/setpoint-marks.js'
import { ageText } from '../../src/console/parts/time.ts'

it.each([0, 999, 3_999, 59_999, 60_000, 119_999, 3_599_999, 3_660_000, 86_399_999])(
  'says after how long a setpoint was applied alike on the chart and in the list below: %i ms',
  (length) => {
    const setpoint = { at: 0, changed: length, state: 'APPLIED', reason: null }
    const list = ageText(new Date(0), new Date(length), 'UTC')
    expect(setpointText(setpoint, '48.0', length)).toBe(`48.0 applied after ${list}`)
  },
)

/** What a text says, as a number. */
function numberIn(text: string): number {
  return Number(text.replaceAll(',', '').replace('−', '-'))
}

it('says every digit of a number, and nothing that is not 0 as 0', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(numberIn(exactText(value, null))).toBe(value === 0 ? 0 : value)
      for (const precision of [null, 0, 1, 6]) {
        const shown = numberIn(figureText(value, precision))
        expect({ value, precision, isZero: shown === 0 }).toStrictEqual({ value, precision, isZero: value === 0 })
      }
    }),
  )
})

it.each([
  [1.2e-12, '1.2e-12', '1.2e-12'],
  [-1.2e-12, '−1.2e-12', '−1.2e-12'],
  [0.0001, '0.0001', '0.0001'],
  [0.000_099, '9.9e-5', '9.9e-5'],
  [0.123_456, '0.123456', '0.123456'],
  [0.123_456_789, '0.123456789', '0.1234568'],
  [21.299_999_237_060_547, '21.299999237060547', '21.3'],
  [1_234_567.891, '1,234,567.891', '1,234,568'],
  ['9007199254741591', '9,007,199,254,741,591', '9,007,199,254,741,591'],
  ['-9007199254741591', '−9,007,199,254,741,591', '−9,007,199,254,741,591'],
  [-0, '0', '0'],
  [1e300, '1e+300', '1e+300'],
])('shows %s as %s at the crosshair and as %s among others', (value, exact, short) => {
  expect([exactText(value, null), figureText(value, null)]).toStrictEqual([exact, short])
})

it('has the decimals of the model, or the digits of what would be 0', () => {
  expect([figureText(34.96, 1), figureText(-0.04, 1), figureText(0, 1)]).toStrictEqual(['35.0', '−0.04', '0.0'])
})

it('has few digits of a mean, and all whole ones', () => {
  expect([meanText(749.315_1, null), meanText(12_345_678.9, null), meanText(1.234_567e-9, null)]).toStrictEqual([
    '749.32',
    '12,345,679',
    '1.2346e-9',
  ])
})

it('tells whole numbers apart that no double holds', () => {
  expect(isBelow('9007199254740993', '9007199254740994')).toBe(true)
  expect(isBelow('9007199254740993', 12)).toBe(false)
})

it.each([
  [[0, 20, 40], 20, ['0', '20', '40']],
  [[0.25, 0.5], 0.25, ['0.25', '0.5']],
  [[-1e-12, 0, 1e-12], 1e-12, ['−1e-12', '0', '1e-12']],
  [[33_050_000, 33_060_000], 10_000, ['3.305e7', '3.306e7']],
  [[1e21, 2e21], 1e21, ['1e21', '2e21']],
  [[1_000, 1_500], 500, ['1,000', '1,500']],
])('writes the marks %j of an axis as %j', (marks, step, texts) => {
  expect(markTexts(marks, step)).toStrictEqual(texts)
})

it('writes marks that differ differently', () => {
  const steps = fc
    .constantFrom(1, 2, 2.5, 5)
    .chain((one) => fc.integer({ min: -20, max: 12 }).map((power) => one * 10 ** power))
  fc.assert(
    fc.property(steps, fc.integer({ min: -1e6, max: 1e6 }), (step, first) => {
      const marks = [0, 1, 2, 3, 4].map((index) => (first + index) * step)
      expect({ step, first, count: new Set(markTexts(marks, step)).size }).toStrictEqual({ step, first, count: 5 })
    }),
  )
})

it.each([
  [-1e-21, '−1e-21'],
  ['2026-01-31', '2026-01-31'],
  ['9223372036854775807', '9,223,372,036,854,775,807'],
])('shows the boundary %j in the list of characteristics as %s', (boundaryMin, shown) => {
  const column = columnsOf('characteristics').find(({ label }) => label === 'Min')
  expect(column?.cell({ boundaryMin })).toBe(shown)
})
