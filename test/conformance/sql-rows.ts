import { beforeAll, expect, it } from 'vitest'
import * as columns from '../../src/db/columns.ts'
import { INT8, nullable, TEXT, TIMESTAMPTZ } from '../../src/db/columns.ts'
import { OID } from '../../src/db/values.ts'
import type { Subject } from './sql.ts'

const DEVICE = { name: TEXT, seenAt: nullable(TIMESTAMPTZ), points: INT8 }
const SELECT = 'SELECT name, seen_at AS "seenAt", points FROM devices'

export function testRows(subject: Subject): void {
  beforeAll(() =>
    subject.database.script(
      `CREATE TABLE devices (name text, seen_at timestamptz, points int8); INSERT INTO devices VALUES ('boiler', null, 3)`,
    ),
  )

  it.each([SELECT, 'SELECT points, name, seen_at AS "seenAt" FROM devices'])('%s', async (text) => {
    const rows = [{ name: 'boiler', seenAt: null, points: 3 }]
    expect(await subject.database.rows(DEVICE, text)).toStrictEqual(rows)
    expect(await subject.database.read((sql) => sql.rows(DEVICE, text))).toStrictEqual(rows)
  })

  it.each([
    ['a renamed column', 'RENAME name TO label', 'SELECT * FROM devices', 'the column "name" is missing'],
    ['a changed type', 'ALTER points TYPE numeric', SELECT, 'the column "points" is numeric and not int8'],
    ['a wider type', 'ALTER points TYPE int4', SELECT, 'the column "points" is int4 and not int8'],
    ['a new column', 'ADD model text', SELECT.replace('name', 'name, model'), '"model" is not expected'],
    ['a column twice', 'ADD model text', SELECT.replace('name', 'name, name'), 'a column appears in it twice'],
  ])('%s is refused, though there is no row', async (_, change, text, finding) => {
    const read = subject.database.transaction(async (sql) => {
      await sql.script(`TRUNCATE devices; ALTER TABLE devices ${change}`)
      await sql.rows(DEVICE, text)
    })
    await expect(read).rejects.toThrow(`The result of a statement does not have the expected shape: ${finding}`)
    await expect(read).rejects.toThrow(text)
  })

  it('a statement that is a transaction of its own is held to its shape too', async () => {
    await expect(subject.database.rows({ points: TEXT }, 'SELECT points FROM devices')).rejects.toThrow(
      'the column "points" is int8 and not text',
    )
  })

  it.each(Object.values(columns).filter((column) => typeof column === 'object'))(
    '$type is what it is called',
    async ({ type }) => {
      const name = type.replace('Array', '[]')
      const [found] = await subject.database.read((sql) =>
        sql.rows({ oid: columns.INT8 }, `SELECT '${name}'::regtype::oid::int8 AS oid`),
      )
      expect(found).toStrictEqual({ oid: OID[type] })
    },
  )
}
