import { expect, it } from 'vitest'
import { sqlState } from '../../src/db/sql-error.ts'
import type { Sql } from '../../src/db/sql.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { oneDomain } from './one-domain.ts'
import { POSTGRES } from '../support/databases.ts'

const context = oneDomain(POSTGRES)

/** Locks two rows in an order, and lets another transaction lock in between. */
async function lockBoth(sql: Sql, order: readonly string[], between: () => Promise<void>): Promise<void> {
  const lock = (name = '') => sql.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))::text as line`, [name])
  await lock(order[0])
  await between()
  await lock(order[1])
}

it('runs a transaction again that was ended because of a deadlock', async () => {
  const { database, domain } = context()
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let attempts = 0
  const lockIn = (order: readonly string[], place: 0 | 1) =>
    writeAccess(database, domain.id, async (sql) => {
      attempts += 1
      await lockBoth(sql, order, async () => {
        met[place].resolve()
        await met[1 - place]?.promise
      })
    })
  await Promise.all([lockIn(['one', 'other'], 0), lockIn(['other', 'one'], 1)])
  // How often they meet again is up to the database.
  expect(attempts).toBeGreaterThan(2)
})

it('gives up when a transaction meets others again and again', async () => {
  const { database, domain } = context()
  let attempts = 0
  const met = writeAccess(database, domain.id, async (sql) => {
    attempts += 1
    await sql.query(`do $$ begin raise exception 'met' using errcode = '40P01'; end $$`)
  })
  await expect(met).rejects.toSatisfy((error) => sqlState(error) === '40P01')
  expect(attempts).toBe(3)
})

/** Fails as Citus does, until the sequence has this value. */
const moved = (last: number): string =>
  `do $$ begin if nextval('tries') < ${last} then raise exception 'could not find valid entry for shard 7'; end if; end $$`

it('runs a transaction or a statement again if Citus moved its domain meanwhile', async () => {
  const { database, domain } = context()
  await database.script(`create sequence tries; grant usage on sequence tries to holdfast_domain`)
  await writeAccess(database, domain.id, (sql) => sql.query(moved(3)))
  await database.statement(moved(5))
  expect(await database.statement(`select last_value::integer as last from tries`)).toStrictEqual([{ last: 5 }])
  await database.script(`drop sequence tries`)
})
