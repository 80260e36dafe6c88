import { array, assert, asyncProperty, string } from 'fast-check'
import { expect, it } from 'vitest'
import { INT4, TEXT } from '../../src/db/columns.ts'
import type { Subject } from './sql.ts'

/** Text that both databases keep: well-formed, without U+0000, without a leading U+FEFF. */
const plainText = string({ unit: 'binary' }).filter((text) => !text.includes('\0') && !text.startsWith('\uFEFF'))

export function testValues(subject: Subject): void {
  const { select } = subject

  it.each([
    ['true', true],
    ['null', null],
    ['12::int2', 12],
    [`'-2147483648'::int4`, -2147483648],
    ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
    ['count(*)', 1],
    ['0.1::float8', 0.1],
    [`'NaN'::float8`, Number.NaN],
    [`'-Infinity'::float8`, Number.NEGATIVE_INFINITY],
    ['1.50::numeric', '1.50'],
    [`'é😀'::text`, 'é😀'],
    [`'0190B1A2-0000-7000-8000-000000000000'::uuid`, '0190b1a2-0000-7000-8000-000000000000'],
    [`'{"a": [1, null, "x"]}'::jsonb`, { a: [1, null, 'x'] }],
    [`'[1.5]'::json`, [1.5]],
    [String.raw`'\x00ff'::bytea`, new Uint8Array([0, 255])],
    [`'2026-01-02 03:04:05.678+02'::timestamptz`, new Date('2026-01-02T01:04:05.678Z')],
    [`'0001-01-01 00:00+00'::timestamptz`, new Date('0001-01-01T00:00:00Z')],
    [`'2026-01-02'::date`, '2026-01-02'],
    [`'2026-01-02 03:04:05'::timestamp`, '2026-01-02 03:04:05'],
    [`'03:04:05.5'::time`, '03:04:05.5'],
    [`'90 minutes'::interval`, 'PT1H30M'],
    [String.raw`ARRAY['a b', '', 'c"\,{}', null, 'NULL']::text[]`, ['a b', '', String.raw`c"\,{}`, null, 'NULL']],
    [`'{}'::text[]`, []],
    [`ARRAY['0190b1a2-0000-7000-8000-000000000000']::uuid[]`, ['0190b1a2-0000-7000-8000-000000000000']],
  ])('%s comes out as %j', async (expression, value) => {
    expect(await select(expression)).toStrictEqual(value)
  })

  it.each([
    ['9007199254740992::int8', /9007199254740992 has no exact JavaScript number/],
    [`'infinity'::timestamptz`, /infinity is outside of the years/],
    [`'10000-01-01 00:00+00'::timestamptz`, /is outside of the years/],
    [`'0044-03-15 BC'::timestamptz`, /is outside of the years/],
  ])('%s is refused rather than distorted', async (expression, message) => {
    await expect(select(expression)).rejects.toThrow(message)
    expect(await select('1')).toBe(1)
  })

  it.each([
    ['$1::bool', false],
    ['$1::int8', 9007199254740991],
    ['$1::float8', 0.1],
    ['$1::text', ''],
    ['$1::text', null],
    ['$1::bytea', new Uint8Array([0, 1, 92, 255])],
    ['$1::text[]', ['a', '', '"', '\\', '{}', ',', 'NULL', ' ', '\n', '12', '12\n', '-', 'null']],
    ['$1::text[]', []],
  ])('%s gives %j back', async (expression, value) => {
    expect(await select(expression, value)).toStrictEqual(value)
  })

  it('gives any text back, alone and in an array', async () => {
    const property = asyncProperty(array(plainText), async (texts) => {
      expect(await select('$1::text[]', texts)).toStrictEqual(texts)
      expect(await select('$1::text', texts.join())).toBe(texts.join())
    })
    await assert(property, { numRuns: 50 })
  })

  it('takes encoded arrays of any type for unnest', async () => {
    const rows = await subject.database.read((sql) =>
      sql.query('SELECT * FROM unnest($1::uuid[], $2::int8[], $3::jsonb[], $4::timestamptz[]) AS t (u, n, j, at)', [
        ['0190b1a2-0000-7000-8000-000000000000'],
        ['42'],
        [JSON.stringify({ text: 'a "quoted" \\ text' })],
        ['2026-01-02T03:04:05.678Z'],
      ]),
    )
    expect(rows).toStrictEqual([
      {
        u: '0190b1a2-0000-7000-8000-000000000000',
        n: 42,
        j: { text: 'a "quoted" \\ text' },
        at: new Date('2026-01-02T03:04:05.678Z'),
      },
    ])
  })

  it('takes a text of 40 MB', async () => {
    expect(await select('length($1::text)', 'x'.repeat(40_000_000))).toBe(40_000_000)
  })

  it('returns a thousand rows in order', async () => {
    const rows = await subject.database.read((sql) =>
      sql.rows({ n: INT4, text: TEXT }, `SELECT n, 'row ' || n AS text FROM generate_series(1, 1000) AS n`),
    )
    expect(rows).toHaveLength(1000)
    expect(rows.at(-1)).toStrictEqual({ n: 1000, text: 'row 1000' })
  })

  // Two limits of PostgreSQL and its clients. The documents layer refuses such texts before they get here.
  it('U+0000 cannot be stored in a text', async () => {
    await expect(select('$1::text', 'a\0b')).rejects.toMatchObject({ code: '22021' })
  })

  it('a lone surrogate is stored as U+FFFD', async () => {
    expect(await select('$1::text', 'a\uD800b')).toBe('a\uFFFDb')
  })
}
