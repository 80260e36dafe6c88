import { expect, it } from 'vitest'
import type { Database, Sql } from '../../../src/db/sql.ts'
import { rotateSigningKey } from '../../../src/platform/access/keys/signing-keys.ts'
import { changeDomainSettings, domainSettings } from '../../../src/platform/access/methods/domain-settings.ts'
import { lockOfDomain, writeData, writeDomain } from '../../../src/store/domains.ts'
import { POSTGRES } from '../../support/databases.ts'
import { countWaiting } from '../../support/lock-waits.ts'
import { context, database, useDomain } from '../../support/one-database.ts'

// How transactions that lock a domain wait for each other (docs/decisions/0065).

useDomain(POSTGRES)

interface Held {
  readonly done: Promise<unknown>
  end(): void
}

/** A transaction that has its lock, and keeps it until it is ended. */
async function hold(
  write: (database: Database, domainId: number, work: (sql: Sql) => Promise<void>) => Promise<void>,
): Promise<Held> {
  const locked = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const done = write(database, context.domain.id, async (sql) => {
    await sql.query('select 1 as one')
    locked.resolve()
    await end.promise
  })
  await locked.promise
  return { done, end: end.resolve }
}

it('changes of access wait for no apply', async () => {
  const apply = await hold(writeDomain)
  await changeDomainSettings(context, { requiresPkce: true })
  expect(await domainSettings(context)).toMatchObject({ requiresPkce: true })
  await rotateSigningKey(context)
  apply.end()
  await apply.done
})

it('an apply that waits for events comes before the events that come later', async () => {
  const order: string[] = []
  const note = (name: string) => async (sql: Sql) => {
    await sql.query('select 1 as one')
    order.push(name)
  }
  const event = await hold(writeData)
  const apply = writeDomain(database, context.domain.id, note('apply'))
  await expect.poll(() => countWaiting(database)).toBe(1)
  const later = writeData(database, context.domain.id, note('later event'))
  await expect.poll(async () => (await countWaiting(database)) + order.length).toBe(2)
  event.end()
  await Promise.all([event.done, apply, later])
  expect(order).toEqual(['apply', 'later event'])
})

it('events share the lock of the domain', async () => {
  const event = await hold(writeData)
  const other = await hold(writeData)
  expect(await countWaiting(database)).toBe(0)
  for (const one of [event, other]) one.end()
  await Promise.all([event.done, other.done])
})

it('whoever waits in line for the domain does not hold its row', async () => {
  const holder = Promise.withResolvers<void>()
  const inLine = Promise.withResolvers<void>()
  const holding = database.transaction(async (sql) => {
    await sql.query(lockOfDomain("'domain'"), [context.domain.id])
    inLine.resolve()
    await holder.promise
  })
  await inLine.promise
  const apply = writeDomain(database, context.domain.id, async () => {})
  await expect.poll(() => countWaiting(database)).toBe(1)
  const lock = 'select domain_id from domain_state where domain_id = $1 for update nowait'
  const rows = await database.transaction((sql) => sql.query(lock, [context.domain.id]))
  expect(rows).toHaveLength(1)
  holder.resolve()
  await Promise.all([holding, apply])
})
