import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { JsonLiteral } from '../../../src/datapoints/wire/json-literal.ts'
import { JsonScanner } from '../../../src/datapoints/wire/json-scanner.ts'
import { readTimestamp } from '../../../src/datapoints/wire/timestamp.ts'

const LIMITS = { earliest: 0, latest: Date.UTC(2100, 0) * 1_000 }

/** What is read of a text, if it is read to its end; followed by what follows a value in a body. */
function scanned(text: string, read: (scanner: JsonScanner) => unknown): unknown {
  const scanner = new JsonScanner(Buffer.from(`${text},`), LIMITS)
  const value = read(scanner)
  return value !== undefined && scanner.at === Buffer.byteLength(text) ? value : undefined
}

const viewOf = (text: string) => new DataView(new TextEncoder().encode(text).buffer)
const valueOf = (text: string) => scanned(text, (scanner) => scanner.readValue())
const timeOf = (text: string) => scanned(text, (scanner) => scanner.readTime())

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

describe('a value', () => {
  const numbers = fc.oneof(
    fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
    fc.integer().map(String),
    fc.stringMatching(/^-?\d{1,17}(\.\d{1,17})?$/),
    fc.stringMatching(/^-?\d{0,3}\.?\d{0,3}([eE][+-]?\d{0,3})?$/),
  )

  test('that is a number is the one that JSON.parse makes', () => {
    fc.assert(
      fc.property(numbers, (text) => {
        const value = parsed(text)
        // A whole number that a double may not hold is left to the thorough reader.
        const isLong = /^-?\d+$/.test(text) && !Number.isSafeInteger(value)
        expect(valueOf(text)).toBe(isLong ? undefined : value)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    '0',
    '-0',
    '0.1',
    '1.0',
    '123456789012345',
    '1234567.12345678',
    '1234567.123456789',
    '1e308',
    '1e999',
    '5e-324',
  ])('%s is read', (text) => expect(valueOf(text)).toBe(parsed(text)))

  it.each(['', '-', '.5', '1.', '01', '-01', '+1', '1..2', '1.2.3', '1e', '0x10', 'Infinity', 'NaN', '1 '])(
    '%j is none',
    (text) => expect(valueOf(text)).toBeUndefined(),
  )

  test('that is a text is the one that JSON.parse makes, or not read', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[ -~]{0,300}$/))
    fc.assert(
      fc.property(texts, (text) => {
        const json = JSON.stringify(text)
        const isPlain = /^"[ !#-[\]-~]{0,256}"$/.test(json)
        expect(valueOf(json)).toBe(isPlain ? text : undefined)
      }),
    )
  })

  it.each(['"', '"a', '"a\\"', '"\u0001"', 'tru', 'truth', 'falsy', 'null', '[1]', '{}'])(
    '%j is left to others',
    (text) => {
      expect(valueOf(text)).toBeUndefined()
    },
  )
})

describe('a time', () => {
  const texts = fc.oneof(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2101-01-01') }).map((date) => date.toISOString()),
    fc.stringMatching(/^20[0-3]\d-[01]\d-[0-3]\d[Tt ][0-2]\d:[0-6]\d:[0-6]\d(\.\d{0,7})?([Zz]|[+-]0\d:00)$/),
  )

  test('is what it is among datapoints in objects, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), (times) => {
        const scanner = new JsonScanner(Buffer.from(`${times.map((time) => JSON.stringify(time)).join()},`), LIMITS)
        for (const time of times) {
          const start = scanner.at
          const at = readTimestamp(time, LIMITS)
          expect(scanner.readTime()).toBe(typeof at === 'number' ? at : undefined)
          scanner.at = start + time.length + 3
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('is known again where it is of the same minute, as long as it is allowed', () => {
    const [good, later] = ['2099-12-31T23:59:00.000Z', '2099-12-31T23:59:59.999Z']
    const scanner = new JsonScanner(Buffer.from(`"${good}""${later}""${later}"`), {
      earliest: 0,
      latest: Date.parse(later) * 1_000 - 1,
    })
    expect(scanner.readTime()).toBe(Date.parse(good) * 1_000)
    expect(scanner.readTime()).toBeUndefined()
  })

  it('may be whole milliseconds', () => {
    expect(timeOf('1767225600000')).toBe(1_767_225_600_000_000)
  })

  it.each(['true', '"2026-01-01"', '"2026-01-01T00:00:00.000Z', '1.5', '-1', '""'])('%s is left to others', (text) => {
    expect(timeOf(text)).toBeUndefined()
  })
})

describe('a literal', () => {
  const text = '","component_uuid":"'

  it('is found where it is, and nowhere else', () => {
    const body = `1${text}2`
    const found = Array.from(body, (_, at) => new JsonLiteral(text).isAt(viewOf(body), at))
    expect(found).toStrictEqual(Array.from(body, (_, at) => at === 1))
  })

  test('differs from any other bytes', () => {
    const bytes = new TextEncoder().encode(text)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = bytes.slice()
        other[at] = (other[at] ?? 0) ^ change
        expect(new JsonLiteral(text).isAt(new DataView(other.buffer), 0)).toBe(false)
      }),
    )
  })
})
