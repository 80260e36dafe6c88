import { AsyncResource } from 'node:async_hooks'
import { expect, test } from 'vitest'
import type { Database, Sql } from '../../../src/db/sql.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { POSTGRES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'

const domain = oneDomain(POSTGRES)
const LOCK = 'from domain_state where domain_id = $1 for update'

/** The same database, which calls `read` with each statement under the lock of the domain, and `beforeLock` before the first. */
function watched(database: Database, beforeLock: () => Promise<unknown>, read: (text: string) => void): Database {
  let locks = 0
  const note = (sql: Sql): Sql => {
    let isUnderLock = false
    const ask = async <T>(text: string, answer: () => Promise<T>): Promise<T> => {
      if (text.includes(LOCK) && (locks += 1) === 1) await beforeLock()
      if (isUnderLock) read(text)
      isUnderLock ||= text.includes(LOCK)
      return answer()
    }
    return {
      ...sql,
      rows: (shape, text, values) => ask(text, () => sql.rows(shape, text, values)),
      query: (text, values) => ask(text, () => sql.query(text, values)),
    }
  }
  return {
    ...database,
    read: (work) => database.read((sql) => work(note(sql))),
    transaction: (work) => database.transaction((sql) => work({ ...sql, ...note(sql) })),
  }
}

const model = (name: string, other: string) => ({
  services: [
    { code: 'x', name },
    { code: 'y', name: other },
  ],
})

test('a rollback reads later applies before it takes the lock, and under it those that came since', async () => {
  const context = domain()
  await applyAll(context, model('one', 'a'))
  const undone = await applyAll(context, model('two', 'a'))
  const overwriting = await applyAll(context, model('three', 'a'))
  for (const other of ['b', 'c', 'd']) await applyAll(context, model('three', other))
  const settings = {
    ...NO_SETTINGS,
    acknowledge: [{ code: 'overwrites-later', type: 'services', key: 'x' } as const],
  }
  const { plan } = await planRollback(context, undone.uuid, settings)
  expect(plan.changes[0]?.guards[0]?.message).toContain(overwriting.uuid)
  let read = 0
  const another = AsyncResource.bind(() => applyAll(context, model('three', 'e')))
  const database = watched(
    context.database,
    another,
    (text) => (read += Number(/^select .* from apply_changes/s.test(text))),
  )
  const request = { document: {}, settings, plan, origin: { rollbackOf: undone.uuid } }
  const done = await applyImport({ ...context, database }, request)
  expect(done.summary).toMatchObject({ update: 1 })
  // The changes of the apply itself, and those of the apply that came before the lock.
  expect(read).toBe(2)
})
