import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExactSum } from '../../src/datapoints/chunks/exact-sum.ts'
import { runsOf } from '../support/runs.ts'
import { neighbours, unitsOf } from './doubles.ts'

const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map((whole) => whole / 100),
  fc.constantFrom(5e-324, -5e-324, 2 ** -1022, Number.MAX_VALUE, -Number.MAX_VALUE, 1e16, -1e16, 1),
)

function sumOf(values: readonly number[]): ExactSum {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum
}

const all = { numRuns: runsOf('LAW_RUNS', { sample: 300, long: 3_000 }) }

it('no double is nearer to the sum than the total, and its parts are the sum', () => {
  fc.assert(
    fc.property(fc.array(double, { maxLength: 40 }), (values) => {
      const exact = values.reduce((units, value) => units + unitsOf(value), 0n)
      const sum = sumOf(values)
      expect(sum.parts().reduce((units, value) => units + unitsOf(value), 0n)).toBe(exact)
      const total = sum.total()
      if (total === null) return
      const off = (value: number): bigint => {
        const distance = unitsOf(value) - exact
        return distance < 0n ? -distance : distance
      }
      for (const neighbour of neighbours(total)) expect(off(total) <= off(neighbour)).toBe(true)
    }),
    all,
  )
})

it('the order in which values are added decides nothing, nor whether they are added in parts', () => {
  fc.assert(
    fc.property(fc.array(double, { maxLength: 40 }), fc.nat(40), (values, cut) => {
      const whole = sumOf(values)
      const inParts = sumOf([...sumOf(values.slice(cut)).parts(), ...sumOf(values.slice(0, cut)).parts()])
      expect(inParts.parts()).toStrictEqual(whole.parts())
      expect(inParts.total()).toStrictEqual(whole.total())
    }),
    all,
  )
})

it('the mean of equal values is that value', () => {
  expect(sumOf([0.1, 0.1, 0.1]).mean(3)).toBe(0.1)
  // The product of this mean and its count cannot be split into halves.
  for (let count = 1; count <= 40; count++)
    expect(sumOf(Array(count).fill(7.6722698120792e304)).mean(count)).toBe(7.6722698120792e304)
  fc.assert(
    fc.property(double, fc.integer({ min: 1, max: 40 }), (value, count) => {
      expect(sumOf(Array.from({ length: count }, () => value)).mean(count)).toBe(value + 0)
    }),
    all,
  )
})

it('what is not finite is refused', () => {
  expect(() => sumOf([1, Infinity])).toThrow('Infinity cannot be added')
  expect(() => sumOf([Number.NaN])).toThrow('NaN cannot be added')
})
