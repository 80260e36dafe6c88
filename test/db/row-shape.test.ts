import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT8, jsonb, nullable, oneOf, TEXT, type Column } from '../../src/db/columns.ts'
import { hasShape } from '../../src/db/row-shape.ts'
import type { Database } from '../../src/db/sql.ts'
import { PGLITE } from '../support/databases.ts'

// PostgreSQL says nothing of these, so the databases of the tests look at every value.

let database: Database
beforeAll(async () => {
  database = await PGLITE.open()
})
afterAll(() => database.close())

const BODY = jsonb(hasShape({ name: TEXT, level: nullable(INT8) }))

it.each<[string, Column<unknown>, string]>([
  ['null', TEXT, 'null::text'],
  ['a text outside of a closed set', oneOf(['PENDING', 'SENT']), `'LOST'::text`],
  ['JSON without a member', BODY, `'{"name": "boiler"}'::jsonb`],
  ['JSON with another member', BODY, `'{"name": "boiler", "level": 1, "place": "cellar"}'::jsonb`],
])('%s is refused', async (_, column, value) => {
  const read = database.read((sql) => sql.rows({ column }, `select ${value} as "column"`))
  await expect(read).rejects.toThrow('the column "column" holds')
})

it.each<[Column<unknown>, string]>([
  [nullable(TEXT), 'null::text'],
  [oneOf(['PENDING', 'SENT']), `'SENT'::text`],
  [BODY, `'{"name": "boiler", "level": null}'::jsonb`],
])('%j takes %s', async (column, value) => {
  expect(await database.read((sql) => sql.rows({ column }, `select ${value} as "column"`))).toHaveLength(1)
})
