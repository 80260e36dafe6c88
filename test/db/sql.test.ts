import { expect, it } from 'vitest'
import { describeSql } from '../conformance/sql.ts'
import { DATABASES, PGLITE, POSTGRES } from '../support/databases.ts'

for (const { name, open } of DATABASES) describeSql(name, open)

// The one known deviation, so the documents layer refuses such texts on every database.
it.each([
  { ...PGLITE, text: 'text' },
  { ...POSTGRES, text: '\uFEFFtext' },
])('$name gives a text with a leading U+FEFF back as $text', async ({ open, text }) => {
  const database = await open()
  const rows = await database.read((sql) => sql.query('SELECT $1::text AS text', ['\uFEFFtext']))
  await database.close()
  expect(rows).toStrictEqual([{ text }])
})
