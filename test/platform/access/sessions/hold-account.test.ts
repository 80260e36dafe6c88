import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { holdAccount, lockAccounts } from '../../../../src/store/access/principals.ts'
import { readDomain, writeAccess } from '../../../../src/store/domains.ts'
import { fetchAllRecords, updateRecords } from '../../../../src/store/model/records.ts'
import type { Database } from '../../../../src/db/sql.ts'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { applyAll, makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'

// Who signs in holds the account, and waits for nobody.

let postgres: PostgresDatabase
/** That of another server. */
let other: Database
let context: DomainContext
let uuid: string
beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  other = await openPostgres(postgres.url, { maxConnections: 1 })
  context = await makeDomain(await openPostgres(postgres.url, { maxConnections: 2 }))
  await applyAll(context, { users: [{ email: 'ada@example.com', name: 'Ada' }] })
  const [user] = await readDomain(context.database, context.domain.id, (sql) =>
    fetchAllRecords(sql, context.domain.id, ['users']),
  )
  uuid = user?.uuid ?? ''
})
afterAll(async () => {
  await other.close()
  await context.database.close()
  await postgres.drop()
})

const held = () => writeAccess(other, context.domain.id, (sql) => holdAccount(sql, context.domain.id, uuid))

it('is held while an apply changes something else of it', async () => {
  await writeAccess(context.database, context.domain.id, async (sql) => {
    const changed = {
      type: 'users',
      key: 'ada@example.com',
      from: 'ada@example.com',
      digest: `sha256:${'0'.repeat(64)}`,
    } as const
    const updated = await updateRecords(
      sql,
      context.domain.id,
      [{ ...changed, body: { name: 'Lovelace' } }],
      new Date(),
    )
    expect(updated).toHaveLength(1)
    expect(await held()).toMatchObject({ name: 'Ada' })
  })
  expect(await held()).toMatchObject({ name: 'Lovelace' })
})

it('is not held while it is being shut out', async () => {
  await writeAccess(context.database, context.domain.id, async (sql) => {
    await lockAccounts(sql, context.domain.id, [uuid])
    expect(await held()).toBeNull()
  })
  expect(await held()).toMatchObject({ name: 'Lovelace' })
})

it('does not keep thousands from being shut out at once, nor anybody else from signing in meanwhile', async () => {
  await writeAccess(context.database, context.domain.id, async (sql) => {
    await lockAccounts(
      sql,
      context.domain.id,
      Array.from({ length: 20_000 }, () => randomUUID()),
    )
    expect(await held()).toMatchObject({ name: 'Lovelace' })
  })
})
