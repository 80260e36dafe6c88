import { hasLongDigits, decodeJson, decodeMessagePack } from '../../../src/datapoints/wire/wire.ts'
import { encode, encodeTimeSpecToTimestamp, ExtData } from '@msgpack/msgpack'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import { readTimestamp } from '../../../src/datapoints/wire/timestamp.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { sample, type Sample } from '../values.ts'
import { runsOf } from '../../support/runs.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const asJson = (value: unknown) => decodeJson(bytesOf(JSON.stringify(value)))
const asMessagePack = (value: unknown) => decodeMessagePack(encode(value, { useBigInt64: true }))
/** As doubles, for the encoder forgets the sign of a whole zero. */
const asDoubles = (value: unknown) => decodeMessagePack(encode(value, { useBigInt64: true, forceIntegerToFloat: true }))

function messageOf(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error
    return `${error.code} ${error.message}`
  }
}

const UUID = '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c'
const UUID_BYTES = new Uint8Array(Buffer.from(UUID.replaceAll('-', ''), 'hex'))

/** The value as a MessagePack client may send it: bytes and whole numbers have types of their own there. */
function packed({ characteristic: { dataType }, value }: Sample): unknown {
  if (dataType === 'BLOB') return new Uint8Array(Buffer.from(String(value), 'base64'))
  return dataType === 'INTEGER' ? BigInt(value as string | number) : value
}

test('JSON and MessagePack of the same points give the same stored values', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 20 }), (samples) => {
      const rules = samples.map(({ characteristic }) => compileRules(characteristic))
      const stored = (values: unknown[]) => values.map((value, index) => rules[index]?.accept(value))
      // JSON.stringify forgets the sign of zero, which the literal -0 has.
      const json = `[${samples.map(({ value }) => (Object.is(value, -0) ? '-0' : JSON.stringify(value))).join()}]`
      const fromJson = stored(decodeJson(bytesOf(json)))
      expect(stored(asDoubles(samples.map(packed)))).toStrictEqual(fromJson)
      expect(stored(asDoubles(samples.map(({ value }) => value)))).toStrictEqual(fromJson)
    }),
    { numRuns: 300 },
  )
})

/** With bigints as numbers, since JSON and MessagePack say differently what is beyond 2^53. */
function numbers(elements: unknown): unknown {
  return JSON.parse(JSON.stringify(elements, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)))
}

function single(value: number): unknown {
  const bytes = Buffer.alloc(6)
  bytes.set([0x91, 0xca])
  bytes.writeFloatBE(value, 2)
  return decodeMessagePack(bytes)[0]
}

test('any JSON is the same in both', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ noUnicodeString: false })), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown[]
      expect(numbers(asMessagePack(plain))).toStrictEqual(numbers(asJson(plain)))
    }),
  )
})

test('whole numbers beyond 2^53 keep all of their digits', () => {
  const text = '[{"a":9007199254740993,"b":[-9007199254740993,1e22,0.1234567890123456],"c":"12345678901234567890"}]'
  expect(decodeJson(bytesOf(text))).toStrictEqual([
    {
      a: 9_007_199_254_740_993n,
      b: [-9_007_199_254_740_993n, 1e22, 0.123_456_789_012_345_6],
      c: '12345678901234567890',
    },
  ])
})

function decodeNumberOf(digits: number) {
  return decodeJson(bytesOf(`[${'7'.repeat(digits)}]`))
}

test('a number of a thousand digits costs no more than its text, and a longer one is refused by its length', () => {
  expect(decodeNumberOf(1_000)).toStrictEqual([Infinity])
  expect(() => decodeNumberOf(1_000_000)).toThrow('a number in the body has more than 1000 characters')
})

test('long rows of digits are found wherever they stand, in time that grows with the text', () => {
  expect(hasLongDigits(`[0.${'7'.repeat(8_000_000)}, 1234567890123456]`)).toBe(true)
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a. ]{0,40}$/),
      fc.integer({ min: 1, max: 40 }),
      fc.string(),
      (before, length, after) => {
        const isLong = length >= 16 && !before.endsWith('.')
        const text = `${before}${'7'.repeat(length)}${after.replaceAll(/\d/g, '')}`
        expect(hasLongDigits(text)).toBe(isLong)
      },
    ),
  )
})

test('a float32 is its shortest decimal', () => {
  expect([21.1, -0.1, 1e22, 16_777_217, 5, -0, 3.402_823_4e38].map(single)).toStrictEqual([
    21.1, -0.1, 1e22, 16_777_216, 5, -0, 3.402_823_5e38,
  ])
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) => {
      const read = single(value) as number
      expect(Math.fround(read)).toBe(value)
      expect(String(read).length).toBeLessThanOrEqual(String(value).length)
    }),
  )
})

test('random bytes and bodies cut off anywhere are refused or read, and never anything else', () => {
  const whole = encode([{ system_uuid: UUID_BYTES, value: [1.5, 'ä', 2n ** 60n, new Date(5)] }], { useBigInt64: true })
  for (let length = 0; length < whole.length; length++) {
    expect(messageOf(() => decodeMessagePack(whole.subarray(0, length)))).toMatch(/^BAD_USER_INPUT/)
  }
  const body = fc.uint8Array({ maxLength: 200 }).map((tail) => new Uint8Array([0x9a, ...tail]))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), body), (bytes) => {
      expect(messageOf(() => decodeMessagePack(bytes))).toMatch(/^(BAD_USER_INPUT|accepted)/)
      expect(messageOf(() => decodeJson(bytes))).toMatch(/^(BAD_USER_INPUT|accepted)/)
    }),
    { numRuns: runsOf('LAW_RUNS', { sample: 300, long: 2_000 }) },
  )
})

describe('JSON that is none', () => {
  it.each([
    '',
    ' ',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[1 2]',
    '[1]]',
    '[1]x',
    '[1][2]',
    '[1}',
    '["a',
    '["a\n"]',
    '["\t"]',
    '["\\x00"]',
    '["\\u12"]',
    '["\u0000"]',
    "['a']",
    '[a]',
    '[nul]',
    '[True]',
    '[NaN]',
    '[Infinity]',
    '[-]',
    '[+1]',
    '[01]',
    '[-01]',
    '[.5]',
    '[1.]',
    '[1e]',
    '[0x10]',
    '[1_000]',
    '[{"a"}]',
    '[{"a":}]',
    '[{"a" 1}]',
    '[{a:1}]',
    '[{"a":1,}]',
    '[{1:1}]',
    '[1] // comment',
    '[/**/1]',
    '[1\u00a0]',
    '\ufeff\ufeff[]',
    '['.repeat(100_000),
    '[{"":'.repeat(50_000),
  ])('%j', (text) => {
    expect(messageOf(() => decodeJson(bytesOf(text)))).toMatch(
      /^BAD_USER_INPUT the body is (empty|not valid JSON|nested more than 100 levels)/,
    )
  })

  it.each([
    [0x5b, 0x22, 0xff, 0x22, 0x5d],
    [0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d],
    [0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d],
    [0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00],
  ])('bytes %j… that are not UTF-8', (...bytes) => {
    expect(messageOf(() => decodeJson(new Uint8Array(bytes)))).toBe(
      'BAD_USER_INPUT the body is not UTF-8, the encoding of JSON',
    )
  })

  it.each(['{}', 'null', '1', '"a"', 'true', '{"value": []}'])('%s is no array', (text) => {
    expect(messageOf(() => decodeJson(bytesOf(text)))).toBe(
      'BAD_USER_INPUT the body must be an array of datapoints, also for one',
    )
  })

  it('is refused without quoting it', () => {
    expect(messageOf(() => decodeJson(bytesOf('[{"password": "secret", }]')))).not.toContain('secret')
    expect(messageOf(() => decodeJson(bytesOf('[1, 2'))).slice(15)).toBe(
      'the body is not valid JSON: there is a mistake at character 6',
    )
    expect(messageOf(() => decodeJson(bytesOf('[1,]'))).slice(15)).toBe('the body is not valid JSON: unexpected ]')
  })
})

const refusal = (text: string) => () => decodeJson(bytesOf(text))

test('two members of one name are refused by their place', () => {
  expect(refusal('[{"value": 1, "value": 2}]')).toThrow('the element /0 of the body has "value" twice; remove one')
  expect(refusal('[{"a":1},[{"a":"a:\\""}],{"b":{"a":1,"c":{"a":1},"\\u0061" :2}}]')).toThrow(
    'the element /2 of the body has "a" twice',
  )
  expect(refusal('[{"__proto__":1,"__proto__":2}]')).toThrow('"__proto__" twice')
  const alike = '[{"a":{"a":"\\"a\\":"},"b":["a","a",{"a":[]},{"a":{}}]},{"a":1},"a"]'
  expect(decodeJson(bytesOf(alike))).toStrictEqual(JSON.parse(alike))
})

test('a word that JSON does not have is named with its place', () => {
  expect(refusal('[{"a NaN":1,"value":NaN}]')).toThrow('NaN at character 21 is not a JSON word')
  expect(refusal('[{"value":-Infinity}]')).toThrow('there is a mistake at character 12')
})

test('two members of one name in MessagePack are refused, whatever the name', () => {
  const twice = new Uint8Array([0x91, 0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2])
  expect(() => decodeMessagePack(twice)).toThrow('a map of the body has "a" twice, up to byte 7; remove one')
  for (const name of ['value', '__proto__', 'toString', '']) {
    const key = [0xa0 + name.length, ...Buffer.from(name)]
    const of = (...values: number[]) =>
      new Uint8Array([0x91, 0x80 + values.length, ...values.flatMap((one) => [...key, one])])
    expect(() => decodeMessagePack(of(0xc0, 1))).toThrow(`${JSON.stringify(name)} twice`)
    expect(Object.entries(decodeMessagePack(of(0xc0))[0] as object)).toStrictEqual([[name, null]])
  }
})

describe('MessagePack', () => {
  it('gives UUIDs of 16 bytes as text, in the fields of an element only', () => {
    expect(asMessagePack([{ system_uuid: UUID_BYTES, component_uuid: UUID }])).toStrictEqual([
      { system_uuid: UUID, component_uuid: UUID },
    ])
    const [{ value, service_uuid }] = asMessagePack([{ value: UUID_BYTES, service_uuid: new Uint8Array(3) }]) as [
      { value: unknown; service_uuid: unknown },
    ]
    expect(value).toBeInstanceOf(Uint8Array)
    expect(service_uuid).toBeInstanceOf(Uint8Array)
  })

  it('keeps whole numbers of 64 bits', () => {
    const numbers = [0, -1, 255, -129, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1]
    const large = [2n ** 53n, 2n ** 64n - 1n, -(2n ** 63n)]
    expect(asMessagePack([...numbers, ...large])).toStrictEqual([...numbers, ...large])
    expect(asMessagePack(numbers.map(BigInt))).toStrictEqual(numbers)
  })

  it.each([
    { sec: 0, nsec: 0 },
    { sec: 1_769_841_000, nsec: 123_456_000 },
    { sec: 2 ** 34 - 1, nsec: 999_999_000 },
    { sec: -1, nsec: 5000 },
  ])('knows the three forms of a timestamp: %j', ({ sec, nsec }) => {
    const [time] = asMessagePack([new ExtData(-1, encodeTimeSpecToTimestamp({ sec, nsec }))])
    expect(readTimestamp(time, { earliest: -Infinity, latest: Infinity })).toBe(sec * 1e6 + nsec / 1000)
  })

  it.each<[string, readonly number[]]>([
    ['it ends in the middle of a value', [0x91, 0xcb]],
    ['it ends before all announced values', [0xdd, 0xff, 0xff, 0xff, 0xff]],
    ['it ends before all announced values', [0x91, 0xdf, 0xff, 0xff, 0xff, 0xff, 0]],
    ['it ends in the middle of a value', [0x91, 0xdb, 0xff, 0xff, 0xff, 0xff]],
    ['it ends in the middle of a value', [0x91, 0xc6, 0xff, 0xff, 0xff, 0xff]],
    ['it is nested more than 100 levels deep', Array<number>(3000).fill(0x91)],
    ['it is nested more than 100 levels deep', Array.from({ length: 3000 }, () => [0xdc, 0, 0xff]).flat()],
    ['the byte 0xc1 begins no value', [0x91, 0xc1]],
    ['a text in it is not UTF-8', [0x91, 0xa2, 0xc3, 0x28]],
    ['a text in it is not UTF-8', [0x91, 0xd9, 100, ...Array<number>(99).fill(0x61), 0xff]],
    ['a key in it is not a string', [0x91, 0x81, 0x01, 0x01]],
    ['the extension type 5 is not supported; only -1, timestamp, is', [0x91, 0xd4, 0x05, 0x00]],
    ['a timestamp in it is malformed', [0x91, 0xd4, 0xff, 0x00]],
    ['a timestamp in it is malformed', [0x91, 0xd7, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]],
    ['something follows its first value', [0x90, 0x90]],
  ])('%s', (why, bytes) => {
    const message = messageOf(() => decodeMessagePack(new Uint8Array(bytes)))
    expect(message).toMatch(/^BAD_USER_INPUT the body is not valid MessagePack, at byte \d+: /)
    expect(message).toContain(why)
  })
})
