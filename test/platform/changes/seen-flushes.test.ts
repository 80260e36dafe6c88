import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  markOf,
  readFlushPosition,
  readNumberPosition,
  writePosition,
} from '../../../src/platform/changes/cursor-text.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { flushCursor, serviceChange } from '../../../src/platform/service-change.ts'

const MOST = 60
const numbers = fc.uniqueArray(fc.integer({ min: 1, max: MOST }), { maxLength: MOST })
const ascending = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
const EVERY = Array.from({ length: MOST + 20 }, (_, index) => index)

/** Texts with their beginnings as names. */
const titled = (...texts: string[]) => texts.map((text): [string, string] => [text.slice(0, 40), text])

/** Those up to `MOST` and some more that have been seen. */
const listed = (seen: SeenFlushes) => EVERY.filter((one) => seen.has(one))

describe('flushes that have been seen', () => {
  it('are exactly those that were, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(numbers), (start, looks) => {
        const end = looks.reduce((seen, look) => seen.with(ascending(look)), new SeenFlushes(start))
        const expected = new Set([...EVERY.filter((one) => one <= start), ...looks.flat()])
        expect(listed(end)).toStrictEqual(ascending(expected))
        expect(EVERY.filter((one) => one <= end.low).every((one) => end.has(one))).toBe(true)
        expect(end.has(end.low + 1)).toBe(false)
      }),
    )
  })

  it('are all up to a number when nothing before it is on its way', () => {
    fc.assert(
      fc.property(numbers, fc.nat(MOST + 10), (seen, settled) => {
        const end = new SeenFlushes(0).with(seen).settledUpTo(settled)
        expect(listed(end)).toStrictEqual(EVERY.filter((one) => one <= settled || seen.includes(one)))
      }),
    )
  })

  it('can be given part by part: whoever stops in between has seen that part and nothing else', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.nat(MOST + 10), (before, seen, settled) => {
        const from = new SeenFlushes(0).with(before)
        const after = from.with(seen).settledUpTo(settled)
        const fresh = ascending(seen.filter((one) => !from.has(one)))
        for (const [index, last] of fresh.entries()) {
          const given = from.until(after, last)
          expect(fresh.filter((one) => given.has(one))).toStrictEqual(fresh.slice(0, index + 1))
          expect(before.every((one) => given.has(one) || one > last)).toBe(true)
        }
      }),
    )
  })

  it('cannot be too many, as after a restore', () => {
    expect(() => new SeenFlushes(1).with([1_000_000])).toThrow(/jumped/)
  })
})

const DOMAIN = { uuid: '00000000-0000-4000-8000-000000000001' }
const OTHER = { uuid: '90000000-0000-4000-8000-000000000002' }
const MARK = markOf('cluster 1', DOMAIN.uuid)
const NOW = new SeenFlushes(100, [
  [7, 7],
  [50, 50],
])

describe('a cursor', () => {
  it('says exactly what was seen', () => {
    fc.assert(
      fc.property(numbers, (look) => {
        const seen = new SeenFlushes(3).with(look)
        const again = readFlushPosition(DOMAIN, MARK, writePosition('datapoints', MARK, seen), NOW)
        expect([again.through, again.missing]).toStrictEqual([seen.through, seen.missing])
      }),
    )
    expect(readNumberPosition('events', MARK, writePosition('events', MARK, 12_345))).toBe(12_345)
  })

  it('is short, also where much is on its way', () => {
    const seen = new SeenFlushes(4).with([20_000])
    expect(writePosition('datapoints', MARK, seen).length).toBeLessThan(100)
  })

  it('of any flushes takes no more memory than its text, because a client can write any text', () => {
    const cursor = Buffer.from(`datapoints ${MARK} 99999999999999:1-9999999999999`).toString('base64url')
    const { missing, low } = readFlushPosition(DOMAIN, MARK, cursor, NOW)
    expect([missing, low]).toStrictEqual([[[1, 9_999_999_999_999]], 0])
  })

  it('may be the X-Service-Change of an answer: what has a smaller number and is on its way comes later', () => {
    const position = readFlushPosition(DOMAIN, MARK, serviceChange(DOMAIN, flushCursor(40)), NOW)
    expect([position.through, position.missing]).toStrictEqual([40, [[7, 7]]])
  })

  it.each([
    ['of another database', writePosition('events', markOf('cluster 2', DOMAIN.uuid), 1)],
    ['of another domain', writePosition('events', markOf('cluster 1', OTHER.uuid), 1)],
  ])('%s is refused by name', (_, cursor) => {
    expect(() => readNumberPosition('events', MARK, cursor)).toThrow(/belongs to another domain or database/)
  })

  it.each(
    titled(
      '',
      'x',
      'AAAAAAAAAAA',
      'no cursor',
      '.'.repeat(100),
      writePosition('setpoints', MARK, 1),
      ...['', '5.5', '-5', '5'.repeat(16), '5:1-', '5:9', '5:3,2', '5:1,', `9:${'1,'.repeat(50_000)}`].map((text) =>
        Buffer.from(`datapoints ${MARK} ${text}`).toString('base64url'),
      ),
    ),
  )('%j is none of datapoints, and of events neither', (_, cursor) => {
    expect(() => readFlushPosition(DOMAIN, MARK, cursor, NOW)).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT' }),
    )
    expect(() => readNumberPosition('events', MARK, cursor)).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT' }),
    )
  })
})
