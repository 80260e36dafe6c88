import { expect, it } from 'vitest'
import { valueField } from '../../src/console/pages/systems/analyse/set/value-field.ts'
import { filledWith } from '../../src/console/form.ts'
import { compileRules } from '../../src/records/data-types/data-type.ts'
import type { SystemSeries } from '../../src/platform/datapoints/reading/series/system-series.ts'
import type { RecordBody } from '../../src/records/record-type.ts'

// The hint and the browser agree with the platform about steps, which are counted from 0 and from boundaryMin.

function fieldOf(characteristic: RecordBody, given = ''): string {
  const series = { characteristic } as Partial<SystemSeries> as SystemSeries
  return valueField(filledWith({ value: given }), series).toString()
}

const attribute = (field: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(field)?.[1] ?? null

/** What a browser lets through (HTML, section 4.10.5.3.8): it counts from `min`, else from the `value` of the field. */
function passes(field: string, value: number): boolean {
  const [min, step, base] = ['min', 'step', 'value'].map((name) => attribute(field, name))
  if (min != null && value < Number(min)) return false
  if (step === 'any') return true
  const count = (value - Number(min ?? base)) / Number(step)
  return Math.abs(count - Math.round(count)) < 1e-9
}

const number = { dataType: 'FLOAT', boundaryMin: null, boundaryMax: null, boundaryStep: 0.5 }
const VALUES = Array.from({ length: 161 }, (_, index) => (index - 80) / 8)

it.each([
  ['in steps of 0.5', '0.5', number, ''],
  ['in steps of 0.5', '0.5', number, '1.5'],
  ['in steps of 0.5', 'any', number, '1.25'],
  ['at least -3, in steps of 0.5', '0.5', { ...number, boundaryMin: -3 }, '1.25'],
  ['at least -2.75, in steps of 0.5 from 0 or from -2.75', 'any', { ...number, boundaryMin: -2.75 }, ''],
  ['in steps of 2', '2', { ...number, dataType: 'INTEGER', boundaryStep: 2 }, ''],
  [null, '1', { ...number, dataType: 'INTEGER', boundaryStep: null }, ''],
  [null, 'any', { ...number, dataType: 'INTEGER', boundaryStep: null }, '1.5'],
  [null, 'any', { ...number, boundaryStep: null }, '1'],
])('%s: the field has the step %s', (hint, step, characteristic, given) => {
  const field = fieldOf(characteristic, given)
  expect([/id="value-hint">([^<]*)</.exec(field)?.[1] ?? null, attribute(field, 'step')]).toStrictEqual([hint, step])
  const accepted = VALUES.filter((value) => typeof compileRules(characteristic).accept(value) === 'number')
  expect(accepted.length).toBeGreaterThan(5)
  expect(accepted.filter((value) => !passes(field, value))).toStrictEqual([])
  if (step === 'any') return
  expect(VALUES.filter((value) => passes(field, value))).toStrictEqual(accepted)
})

it('a boundary beyond 2^53 is counted with all of its digits, and steps are of numbers alone', () => {
  const large = { ...number, dataType: 'INTEGER', boundaryMin: '-9007199254740995', boundaryStep: 2 }
  expect(fieldOf(large)).toContain('in steps of 2 from 0 or from -9007199254740995')
  expect(attribute(fieldOf(large), 'step')).toBe('any')
  expect(attribute(fieldOf({ ...number, dataType: 'TIME' }), 'step')).toBe('1')
})

it('a boundary that no value is compared with is not shown', () => {
  const field = fieldOf({ ...number, boundaryMin: 'cold', boundaryMax: '5', boundaryStep: null })
  expect([attribute(field, 'min'), attribute(field, 'max'), field.includes('hint')]).toStrictEqual([null, null, false])
  const time = fieldOf({ dataType: 'TIME', boundaryMin: 'PT6H', boundaryMax: '22:00:00' })
  expect([attribute(time, 'min'), attribute(time, 'max')]).toStrictEqual([null, '22:00:00'])
  expect(time).toContain('PT6H to 22:00:00')
})
