import { describe, expect, it } from 'vitest'
import { elementProblem, hasOtherFields } from '../../../src/datapoints/wire/element.ts'

const UUID = '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c'
const element = { characteristic_uuid: UUID, component_uuid: UUID, service_uuid: UUID, system_uuid: UUID, value: true }

function problemOf(given: unknown): unknown {
  const problem = elementProblem(given)
  return problem && [problem.field, problem.violation.code]
}

describe('a datapoint', () => {
  it('has four uuids and a value, and may have a timestamp', () => {
    expect(problemOf(element)).toBeNull()
    expect(problemOf({ ...element, timestamp: 5 })).toBeNull()
    expect(problemOf({ ...element, system_uuid: UUID.toUpperCase() })).toBeNull()
    expect(hasOtherFields({ ...element, timestamp: 5 })).toBe(false)
  })

  it.each([null, 5, 'a', [], [element], undefined, new Uint8Array(3)])('%j is none', (given) => {
    expect(problemOf(given)).toStrictEqual([null, 'wrong-type'])
  })

  it('is refused with the name of the field', () => {
    const { value: _, ...valueless } = element
    const { service_uuid: __, ...serviceless } = element
    expect(problemOf(valueless)).toStrictEqual(['value', 'missing-field'])
    expect(problemOf(serviceless)).toStrictEqual(['service_uuid', 'missing-field'])
    expect(problemOf({ ...element, component_uuid: null })).toStrictEqual(['component_uuid', 'null-value'])
    expect(problemOf({ ...element, component_uuid: 5 })).toStrictEqual(['component_uuid', 'wrong-type'])
    expect(problemOf({ ...element, system_uuid: `${UUID} ` })).toStrictEqual(['system_uuid', 'wrong-type'])
    expect(problemOf({ ...element, unit: 'K' })).toStrictEqual(['unit', 'unknown-field'])
    expect(hasOtherFields({ ...element, unit: 'K' })).toBe(true)
  })

  it('names fields it does not know, also those of every object', () => {
    expect(problemOf(JSON.parse(`{"__proto__": 1, ${JSON.stringify(element).slice(1)}`))).toStrictEqual([
      '__proto__',
      'unknown-field',
    ])
    expect(hasOtherFields({ ...element, toString: 1 })).toBe(true)
  })
})
