import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import { DecimalGrid } from '../../../src/records/values/decimal-grid.ts'
import { isViolation } from '../../../src/records/values/violation.ts'

function judge(characteristic: { readonly [field: string]: number }, values: readonly number[]): unknown[] {
  const rules = compileRules({ dataType: 'FLOAT', ...characteristic })
  return values.map((value) => rules.accept(value)).map((answer) => (isViolation(answer) ? answer.code : 'fits'))
}

/** Decimals of up to 15 digits: as many as survive the way through a double. */
const decimal = fc.record({
  units: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  digits: fc.integer({ min: 0, max: 6 }),
  step: fc.integer({ min: 1, max: 100_000 }),
  base: fc.integer({ min: -1000, max: 1000 }),
})

const read = (units: number | bigint, digits: number) => Number(`${units}e${-digits}`)

test('a decimal is on a step exactly when its units divide', () => {
  fc.assert(
    fc.property(decimal, ({ units, digits, step, base }) => {
      const grid = new DecimalGrid(read(step, digits), read(base, digits))
      expect(grid.has(read(units, digits))).toBe((units - base) % step === 0)
      expect(grid.has(read(base + (units % 1000) * step, digits))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('a sum of two decimals is on the step of both', () => {
  fc.assert(
    fc.property(decimal, fc.nat(1_000_000), ({ units, digits }, other) => {
      const sum = read(Math.abs(units), digits) + read(other, digits)
      expect(new DecimalGrid(read(1, digits)).has(sum)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

const STEPS = [
  [1, -300],
  [1, -1],
  [3, 0],
  [7, 200],
] as const

test('large and tiny numbers are judged by their decimals, too', () => {
  const digits = fc.integer({ min: -(10 ** 14), max: 10 ** 14 })
  const exponent = fc.integer({ min: -280, max: 290 })
  fc.assert(
    fc.property(digits, exponent, fc.constantFrom(...STEPS), (units, power, [step, stepPower]) => {
      const isMultiple =
        (BigInt(units) * 10n ** BigInt(power + 300)) % (BigInt(step) * 10n ** BigInt(stepPower + 300)) === 0n
      expect(new DecimalGrid(read(step, -stepPower)).has(read(units, -power))).toBe(isMultiple)
    }),
    { numRuns: 1000 },
  )
})

describe('boundaryStep', () => {
  it('0.5 allows 0, 0.5, 1, 1.5 and so on, as in the specification', () => {
    expect(judge({ boundaryStep: 0.5 }, [0, 0.5, 1, 1.5, -2.5, -0, 1e300])).toStrictEqual(Array(7).fill('fits'))
    expect(judge({ boundaryStep: 0.5 }, [0.25, 0.50001, -1.3])).toStrictEqual(Array(3).fill('off-step'))
  })

  it('is decimal: what binary fractions make of it does not count', () => {
    expect(judge({ boundaryStep: 0.1 }, [0.3, 0.7, 0.1 + 0.2, 0.1 * 3, 1.1 + 2.2])).toStrictEqual(Array(5).fill('fits'))
    expect(judge({ boundaryStep: 0.1 }, [0.30000000000001, 0.29999999999999, 100_000_000_000_000.55])).toStrictEqual(
      Array(3).fill('off-step'),
    )
  })

  it('counts from 0, and from boundaryMin where there is one', () => {
    const step = { boundaryStep: 0.5, boundaryMin: 0.2 }
    expect(judge(step, [0.2, 0.7, 1.2, 0.5, 1])).toStrictEqual(Array(5).fill('fits'))
    expect(judge(step, [0.3, 0.6])).toStrictEqual(Array(2).fill('off-step'))
  })

  it.each([0, -0.5])('of %s refuses nothing', (boundaryStep) => {
    expect(judge({ boundaryStep }, [0, 0.3, -7])).toStrictEqual(Array(3).fill('fits'))
  })

  it('of an INTEGER may lie between whole numbers', () => {
    const rules = compileRules({ dataType: 'INTEGER', boundaryStep: 1.5 })
    const answers = [3, 4, '9223372036854775806', '9223372036854775807'].map((value) =>
      isViolation(rules.accept(value)),
    )
    expect(answers).toStrictEqual([false, true, false, true])
  })

  it('holds for whole numbers of 64 bits', () => {
    const rules = compileRules({ dataType: 'INTEGER', boundaryStep: 10, boundaryMin: 5 })
    expect(rules.accept('9223372036854775805')).toBe(9223372036854775805n)
    expect(rules.accept('9223372036854775806')).toMatchObject({ code: 'off-step' })
    expect(rules.accept(9007199254740985)).toBe(9007199254740985)
    expect(rules.accept(9007199254740986)).toStrictEqual({
      code: 'off-step',
      detail: '9007199254740986 is not on a step of 10 counted from 0 or from boundaryMin (5)',
    })
  })

  it('judges whole numbers as they are, however large', () => {
    expect(judge({ boundaryStep: 2 }, [2 ** 53 - 2, 2 ** 53 - 1])).toStrictEqual(['fits', 'off-step'])
  })
})

test('precision is for showing values, and refuses none', () => {
  expect(judge({ precision: 1 }, [1.255, 0.001, 1e-7, 21.1])).toStrictEqual(Array(4).fill('fits'))
})

test('steps count from a boundary beyond 2^53 exactly', () => {
  const rules = compileRules({
    dataType: 'INTEGER',
    boundaryMin: '9223372036854775000',
    boundaryMax: '9223372036854775807',
    boundaryStep: 5,
  })
  const answers = ['9223372036854775005', '9223372036854775006', '9223372036854774999', '0'].map((value) => {
    const answer = rules.accept(value === '0' ? 0 : value)
    return isViolation(answer) ? answer.code : answer
  })
  expect(answers).toStrictEqual([9_223_372_036_854_775_005n, 'off-step', 'out-of-bounds', 'out-of-bounds'])
})
