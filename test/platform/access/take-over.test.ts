import { describe, expect, it } from 'vitest'
import { findAccount, checkPassword } from '../../../src/platform/access/accounts.ts'
import { deleteRecord } from '../../../src/platform/change-record.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { Secret } from '../../../src/records/secret.ts'
import { writeDomain } from '../../../src/store/domains.ts'
import { insertPlatformRecord } from '../../../src/store/platform-records.ts'
import { DATABASES } from '../../support/databases.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'

const EMAIL = 'ann@example.org'
const PASSWORD = 'a password that is long enough'

describe.each(DATABASES)('a document that names somebody whom the platform knows, on $name', ({ openMigrated }) => {
  it('takes them over: the same account with the same password, and nothing left behind', async () => {
    const database = await openMigrated()
    const context = await makeDomain(database)
    const uuid = await makePerson(context)
    await applyAll(context, { users: [{ email: 'Ann@Example.org', name: 'Ann' }] })
    expect(await findAccount(context, uuid)).toMatchObject({ uuid, login: EMAIL, name: 'Ann' })
    expect(await checkPassword(context, EMAIL, PASSWORD)).toMatchObject({ uuid })
    // Were the platform's record still there, it would let them in again.
    await deleteRecord(context, 'users', EMAIL, ['deletes-data'])
    expect(await findAccount(context, uuid)).toBeNull()
    expect(await checkPassword(context, EMAIL, PASSWORD)).toBeNull()
    await database.close()
  })

  it('decides about their status at once', async () => {
    const database = await openMigrated()
    const context = await makeDomain(database)
    const uuid = await makePerson(context)
    await applyAll(context, { users: [{ email: EMAIL, status: 'ARCHIVED' }] })
    expect(await findAccount(context, uuid)).toMatchObject({ status: 'ARCHIVED' })
    expect(await checkPassword(context, EMAIL, PASSWORD)).toBeNull()
    await database.close()
  })
})

async function makePerson(context: DomainContext): Promise<string> {
  const uuid = context.newId()
  const hash = await context.secrets.hashPassword(new Secret(PASSWORD))
  const body = { email: EMAIL, name: null, status: 'ACTIVATED' }
  const person = { type: 'users', key: EMAIL, uuid, body, hash, createdAt: context.now() } as const
  await writeDomain(context.database, context.domain.id, (sql) => insertPlatformRecord(sql, context.domain.id, person))
  return uuid
}
