import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markerLine, readMarker, type Marker } from '../../../src/reconcile/pull-request/marker.ts'
import { packEffects, unpackEffects } from '../../../src/reconcile/pull-request/packed-effects.ts'

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('-->', '--', 'a b', '\n', 'a=b', '%', '%2d', 'acme--x.example/y'),
  )
  .map((word) => `x${word.toWellFormed()}`)
const hexadecimal = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const marker: fc.Arbitrary<Marker> = fc.record(
  {
    kind: fc.constantFrom('plan', 'queue', 'apply', 'drift'),
    platform: text,
    models: fc.constantFrom('models', '', 'sites/größe #1'),
    commit: hexadecimal(40),
    run: fc.record({ id: fc.nat(), attempt: fc.nat() }),
    digest: fc.option(hexadecimal(64).map((digits) => `sha256:${digits}`)),
    changes: text,
    applied: fc.uuid(),
  },
  { requiredKeys: ['kind', 'platform', 'models', 'commit', 'run', 'digest'] },
)

describe('the marker of a comment', () => {
  it('says what was written into it, whatever that is', () => {
    fc.assert(
      fc.property(marker, (one) => {
        expect(readMarker(`text\n\n${markerLine(one)}`)).toEqual(one)
      }),
    )
  })

  it('is one line that nothing in it can end', () => {
    fc.assert(
      fc.property(marker, (one) => {
        expect(markerLine(one)).toMatch(/^<!-- holdfast [^\n<>]* -->$/)
        expect(markerLine(one).slice(4, -3)).not.toContain('--')
      }),
    )
  })

  it('is not found in words that only look like fields, however many', () => {
    // Where the words could be divided in several ways, all of them would be tried.
    expect(readMarker(`<!-- holdfast plan -= ${'s== '.repeat(10_000)} `)).toBeNull()
    expect(readMarker(`<!-- holdfast plan -= ${'s== '.repeat(10_000)}`)).toBeNull()
  })

  it('counts in the last line only', () => {
    const line = `<!-- holdfast plan platform=p commit=${COMMIT} run=1.1 -->`
    expect(readMarker(`${line}\nand more`)).toBeNull()
    expect(readMarker(`and more\r\n${line}\r\n`)).toMatchObject({ platform: 'p' })
  })

  it.each([
    '',
    'a comment',
    '<!-- holdfast -->',
    '<!-- holdfast plan -->',
    `<!-- holdfast plan platform=p commit=${COMMIT} run=x -->`,
    `<!-- holdfast plan platform=%ff commit=${COMMIT} run=1.1 -->`,
    `<!-- holdfast other platform=p commit=${COMMIT} run=1.1 -->`,
    '<!-- holdfast plan platform=p commit=main run=1.1 -->',
  ])('is none in %j', (body) => {
    expect(readMarker(body)).toBeNull()
  })

  it.each(['d', 'reviewed', '--yes', `sha256:${'0'.repeat(64)}%0A::add-mask::1`])('has no digest in %j', (digest) => {
    const line = `<!-- holdfast plan platform=p commit=${COMMIT} run=1.1 digest=${digest} -->`
    expect(readMarker(line)).toMatchObject({ platform: 'p', digest: null })
  })
})

describe('the effects that are kept with it', () => {
  const effect = fc.record({ what: fc.string({ unit: 'grapheme' }), how: fc.string(), result: fc.string() })

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(effect), (effects) => {
        const packed = packEffects(effects)
        expect(unpackEffects(packed)).toEqual(packed === undefined ? null : effects)
      }),
    )
  })

  it('are left out if they are too many', () => {
    const many = [...Array(100_000).keys()].map((index) => ({
      what: `characteristics/${index * 7919}`,
      how: 'create',
      result: '',
    }))
    expect(packEffects(many)).toBeUndefined()
  })

  it.each(['', 'x', 'AAAA', Buffer.from('[1]').toString('base64url')])('are none in %j', (packed) => {
    expect(unpackEffects(packed)).toBeNull()
  })
})
