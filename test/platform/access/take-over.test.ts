import { describe, expect, it } from 'vitest'
import { checkPassword, findAccount, findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { personOfIdentity } from '../../../src/platform/access/delegated/identity/external-identity.ts'
import { createDelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import { createPasswordLink, setPassword } from '../../../src/platform/access/accounts/password-links.ts'
import { deleteRecord } from '../../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'

const EMAIL = 'ann@example.org'
const PASSWORD = 'a password that is long enough'

describe.each(SAMPLED_DATABASES)(
  'a document that names somebody whom the platform knows, on $name',
  ({ openMigrated }) => {
    it('takes them over where their provider is trusted: the same account and password, and nothing left', async () => {
      const database = await openMigrated()
      const context = await makeDomain(database)
      const uuid = await makePerson(context, ['example.org'])
      await applyAll(context, { users: [{ email: 'Ann@Example.org', name: 'Ann' }] })
      expect(await findAccount(context, uuid)).toMatchObject({ uuid, login: EMAIL, name: 'Ann' })
      expect(await checkPassword(context, EMAIL, PASSWORD)).toMatchObject({ uuid })
      // Were the platform's record still there, it would let them in again.
      await deleteRecord(context, 'users', EMAIL, ['deletes-data'])
      expect(await findAccount(context, uuid)).toBeNull()
      expect(await checkPassword(context, EMAIL, PASSWORD)).toBeNull()
      await database.close()
    })

    it('begins anew where it is not: another account, without the password', async () => {
      const database = await openMigrated()
      const context = await makeDomain(database)
      const uuid = await makePerson(context, [])
      await applyAll(context, { users: [{ email: EMAIL }] })
      expect(await findAccount(context, uuid)).toBeNull()
      expect(await findAccountByLogin(context, 'person', EMAIL)).toMatchObject({ login: EMAIL })
      expect(await checkPassword(context, EMAIL, PASSWORD)).toBeNull()
      await database.close()
    })

    it('decides about their status at once', async () => {
      const database = await openMigrated()
      const context = await makeDomain(database)
      const uuid = await makePerson(context, ['example.org'])
      await applyAll(context, { users: [{ email: EMAIL, status: 'ARCHIVED' }] })
      expect(await findAccount(context, uuid)).toMatchObject({ status: 'ARCHIVED' })
      expect(await checkPassword(context, EMAIL, PASSWORD)).toBeNull()
      await database.close()
    })
  },
)

/** Somebody whom a provider has told about, and who got a password here. */
async function makePerson(context: DomainContext, emailDomains: readonly string[]): Promise<string> {
  const configuration = { clientId: 'holdfast', issuer: 'https://login.example.com', emailDomains }
  const method = await createDelegatedMethod(context, { status: 'ACTIVATED', configuration })
  const { account } = await personOfIdentity(context, method, { sub: 'ann-1', email: EMAIL, email_verified: true })
  const { token } = await createPasswordLink(context, EMAIL, 'test')
  await setPassword(context, token, PASSWORD)
  return account.uuid
}
