import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileRules, DATA_TYPE_DECLARATIONS, exampleOf } from '../../../src/records/data-types/data-type.ts'
import { isViolation } from '../../../src/records/values/violation.ts'
import { WireTime } from '../../../src/records/values/wire-time.ts'
import type { RecordBody } from '../../../src/records/record-type.ts'
import { DATA_TYPES, sampleOf } from '../../datapoints/values.ts'

function answerTo(characteristic: RecordBody, value: unknown): unknown {
  const rules = compileRules(characteristic)
  const answer = rules.accept(value)
  return isViolation(answer) ? answer.code : rules.show(answer)
}

test.each(DATA_TYPES)('a value of %s is shown as it was sent', (dataType) => {
  fc.assert(
    fc.property(sampleOf(dataType), ({ characteristic, value }) => {
      expect(answerTo(characteristic, value)).toStrictEqual(value)
    }),
    { numRuns: 300 },
  )
})

test.each(Object.keys(DATA_TYPE_DECLARATIONS))('the example of %s is accepted', (dataType) => {
  const options = [{ key: 'on', label: 'On' }]
  for (const multiple of [false, true]) {
    const characteristic = { dataType, options, multiple }
    expect(answerTo(characteristic, exampleOf(characteristic))).toStrictEqual(exampleOf(characteristic))
  }
})

test.each<RecordBody>([
  { dataType: 'DATE', boundaryMax: '2020-01-01' },
  { dataType: 'TIME', boundaryMin: 'PT6H', boundaryMax: '11:00:00' },
  { dataType: 'TIMESTAMP', boundaryMin: '2030-01-01T00:00:00Z' },
  { dataType: 'FLOAT', boundaryMin: -5, boundaryMax: -1 },
  { dataType: 'INTEGER', boundaryMin: '9007199254740993' },
  { dataType: 'INTEGER', boundaryMin: 1.5 },
])('the example is within the boundaries of %o', (characteristic) => {
  const example = exampleOf(characteristic)
  expect(answerTo(characteristic, example)).toBe(example)
})

test.each(DATA_TYPES)('whatever is sent for %s gets an answer', (dataType) => {
  const rules = compileRules({ dataType, options: [{ key: 'on', label: 'On' }] })
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withTypedArray: true, withDate: true }), (value) => {
      const answer = rules.accept(value)
      const text = isViolation(answer) ? answer.detail : JSON.stringify(rules.show(answer))
      expect(text).toMatch(/./)
    }),
    { numRuns: 300 },
  )
})

describe('nothing is coerced', () => {
  it.each<[string, unknown]>([
    ['BOOLEAN', 'true'],
    ['BOOLEAN', 1],
    ['FLOAT', '1.5'],
    ['FLOAT', true],
    ['FLOAT', Number.NaN],
    ['FLOAT', Infinity],
    ['FLOAT', [1]],
    ['INTEGER', 1.5],
    ['INTEGER', '5'],
    ['INTEGER', '09007199254740993'],
    ['INTEGER', '+9007199254740993'],
    ['INTEGER', ' 9007199254740993'],
    ['INTEGER', '9007199254740993.0'],
    ['INTEGER', 2 ** 53],
    ['INTEGER', 1e300],
    ['INTEGER', true],
    ['STRING', 5],
    ['STRING', 'a\0b'],
    ['STRING', '\ud800'],
    ['STRING', new Uint8Array(2)],
    ['DATE', '2026-02-29'],
    ['DATE', '2100-02-29'],
    ['DATE', '2026-13-01'],
    ['DATE', '2026-1-01'],
    ['DATE', '2026-01-01T00:00:00Z'],
    ['TIME', '24:00:00'],
    ['TIME', '23:59:60'],
    ['TIME', '06:30'],
    ['TIME', '06:30:00.'],
    ['TIME', '06:30:00+2:00'],
    ['TIME', 'PT6H30M'],
    ['TIME', `06:30:00.${'1'.repeat(100)}`],
    ['TIMESTAMP', '2026-01-31T06:30:00'],
    ['TIMESTAMP', '2026-01-31T06:30:00+24:00'],
    ['TIMESTAMP', '2026-01-31T06:30Z'],
    ['TIMESTAMP', 1_769_841_000_000],
    ['TIMESTAMP', new WireTime(2 ** 50, 0)],
    ['TIMESPAN', 'P'],
    ['TIMESPAN', 'PT'],
    ['TIMESPAN', 'P1H'],
    ['TIMESPAN', '-P1D'],
    ['TIMESPAN', 'PT1.5H30M'],
    ['TIMESPAN', 'P1DT'],
    ['BLOB', 'YQ'],
    ['BLOB', 'YR=='],
    ['BLOB', 'Y Q=='],
    ['BLOB', '_-8='],
    ['SELECT', ['on']],
    ['JSON', 10n ** 20n + 1n],
    ['JSON', 10n ** 400n],
    ['JSON', 2n ** 60n],
    ['JSON', { a: Infinity }],
    ['JSON', { a: [2n ** 53n + 1n] }],
    ['JSON', { a: [new Uint8Array(1)] }],
    ['JSON', [new WireTime(0, 0)]],
    ['JSON', [undefined]],
  ])('%s %s', (dataType, value) => {
    expect(answerTo({ dataType, options: [{ key: 'on', label: 'On' }] }, value)).toBe('wrong-type')
  })

  it.each(DATA_TYPES)('null is no %s', (dataType) => {
    expect(answerTo({ dataType }, null)).toBe('null-value')
    expect(answerTo({ dataType }, undefined)).toBe('missing-field')
  })
})

describe('what MessagePack has and JSON has not', () => {
  it('whole numbers beyond 2^53, bytes and timestamps are shown as JSON', () => {
    expect(answerTo({ dataType: 'INTEGER' }, 2n ** 63n - 1n)).toBe('9223372036854775807')
    expect(answerTo({ dataType: 'INTEGER' }, 5n)).toBe(5)
    expect(answerTo({ dataType: 'FLOAT' }, 2n ** 60n)).toBe(2 ** 60)
    expect(answerTo({ dataType: 'BLOB' }, new Uint8Array([97]))).toBe('YQ==')
    expect(answerTo({ dataType: 'TIMESTAMP' }, new WireTime(-1, 5_000_000))).toBe('1969-12-31T23:59:59.005Z')
  })

  it('numbers that 64 bits do not hold are out of bounds', () => {
    expect(answerTo({ dataType: 'INTEGER' }, 2n ** 63n)).toBe('out-of-bounds')
    expect(answerTo({ dataType: 'INTEGER' }, '-9223372036854775809')).toBe('out-of-bounds')
    // The largest without a sign, which devices send, has one digit more.
    expect(answerTo({ dataType: 'INTEGER' }, '18446744073709551615')).toBe('out-of-bounds')
  })
})

it('an integer has one zero', () => {
  expect(compileRules({ dataType: 'INTEGER' }).accept(-0)).toBe(0)
})

describe('boundaries include their ends', () => {
  const utc = { dataType: 'TIMESTAMP', boundaryMin: '2026-01-01T00:00:00Z', boundaryMax: '2026-01-01T00:00:00.5Z' }
  it.each<[RecordBody, readonly unknown[], readonly unknown[]]>([
    [{ dataType: 'FLOAT', boundaryMin: -1.5, boundaryMax: 2 }, [-1.5, 0, 2], [-1.5000001, 2.0000000000000004]],
    [{ dataType: 'INTEGER', boundaryMin: 0 }, [0, 5, '9223372036854775807'], [-1, '-9223372036854775808']],
    [{ dataType: 'INTEGER', boundaryMin: 1.5 }, [2, '9223372036854775807'], [1, 0]],
    [{ dataType: 'INTEGER', boundaryMax: 2 ** 53 }, ['9007199254740992'], ['9007199254740993']],
    [{ dataType: 'DATE', boundaryMin: '2026-01-01' }, ['2026-01-01', '9999-12-31'], ['2025-12-31', '0001-01-01']],
    [{ dataType: 'TIME', boundaryMax: '06:30:00' }, ['06:30:00.000', '00:00:00'], ['06:30:00.0001', '06:30:01']],
    [
      { dataType: 'TIME', boundaryMin: '08:00:00Z' },
      ['08:00:00', '10:00:00+02:00', '23:30:00-01:00'],
      ['08:00:00+01:00'],
    ],
    [{ dataType: 'TIME', boundaryMax: 'PT6H30M' }, ['06:30:00', '08:30:00+02:00'], ['06:30:00.5', '06:30:00-00:01']],
    [
      utc,
      ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.50Z', '2025-12-31T23:00:00.25-01:00'],
      ['2026-01-01T00:00:00+00:01', '2026-01-01T00:00:00.500000000001Z'],
    ],
  ])('%j', (characteristic, inside, outside) => {
    expect(inside.map((value) => answerTo(characteristic, value))).toStrictEqual(inside)
    expect(outside.map((value) => answerTo(characteristic, value))).toStrictEqual(outside.map(() => 'out-of-bounds'))
  })
})

it.each<[RecordBody, readonly unknown[]]>([
  [{ dataType: 'DATE', boundaryMin: 'PT1H' }, ['0001-01-01', '2026-01-31']],
  [{ dataType: 'DATE', boundaryMax: 7 }, ['2026-01-31']],
  [
    { dataType: 'TIMESTAMP', boundaryMin: 'PT1H', boundaryMax: 'PT2H' },
    ['1969-01-01T00:00:00Z', '2026-01-31T00:00:00Z'],
  ],
  [{ dataType: 'TIMESTAMP', boundaryMin: '2026-12-31T23:59:60Z' }, ['2026-01-31T00:00:00Z']],
  [{ dataType: 'TIME', boundaryMin: 'P1D' }, ['06:30:00']],
  [{ dataType: 'FLOAT', boundaryMin: '5', boundaryMax: 'cold' }, [4, -1e300]],
  [{ dataType: 'INTEGER', boundaryMax: '007' }, [8, '9223372036854775807']],
])('%j says nothing about values, so none is held to it', (characteristic, values) => {
  expect(values.map((value) => answerTo(characteristic, value))).toStrictEqual(values)
})

describe('SELECT', () => {
  const options = ['on', 'off'].map((key) => ({ key, label: key }))
  it('takes the keys of its options only', () => {
    expect(answerTo({ dataType: 'SELECT', options }, 'On')).toBe('unknown-option')
    expect(answerTo({ dataType: 'SELECT', options }, 'toString')).toBe('unknown-option')
    expect(compileRules({ dataType: 'SELECT', options }).accept('auto')).toStrictEqual({
      code: 'unknown-option',
      detail: '"auto" is no option; there are "on", "off"',
    })
    expect(compileRules({ dataType: 'SELECT' }).accept('auto')).toStrictEqual({
      code: 'unknown-option',
      detail: '"auto" is no option; it has no options yet',
    })
  })

  it('with `multiple` takes a list that names each option at most once', () => {
    const multiple = { dataType: 'SELECT', options, multiple: true }
    expect(answerTo(multiple, [])).toStrictEqual([])
    expect(answerTo(multiple, ['off', 'on'])).toStrictEqual(['off', 'on'])
    expect(answerTo(multiple, ['off', 'dim'])).toBe('unknown-option')
    expect(answerTo(multiple, ['off', 'off'])).toBe('wrong-type')
    expect(answerTo(multiple, ['off', null])).toBe('null-value')
    expect(answerTo(multiple, 'off')).toBe('wrong-type')
  })

  it('`multiple` means nothing on other data types', () => {
    expect(answerTo({ dataType: 'STRING', multiple: true }, 'a')).toBe('a')
  })
})
