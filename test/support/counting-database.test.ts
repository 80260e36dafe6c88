import { expect, it } from 'vitest'
import { countingDatabase } from './counting-database.ts'
import { PGLITE } from './databases.ts'

it('records every statement and can make any of them fail, the commit included', async () => {
  const database = await PGLITE.open()
  await database.script('CREATE TABLE numbers (n int)')
  const insertTwo = (failing: number) => {
    const counting = countingDatabase(database, ({ number }) => {
      if (number === failing) throw new Error(`pulled the plug at ${number}`)
    })
    const work = counting.transaction(async (sql) => {
      await sql.query('INSERT INTO numbers VALUES (1)')
      await sql.script('INSERT INTO numbers VALUES (2)')
    })
    return { counting, work }
  }
  for (const failing of [1, 2, 3]) {
    await expect(insertTwo(failing).work).rejects.toThrow(`pulled the plug at ${failing}`)
  }
  expect(await database.read((sql) => sql.query('SELECT * FROM numbers'))).toStrictEqual([])
  const { counting, work } = insertTwo(0)
  await work
  expect(counting.statements).toStrictEqual([
    'INSERT INTO numbers VALUES (1)',
    'INSERT INTO numbers VALUES (2)',
    'COMMIT',
  ])
  await database.close()
})
