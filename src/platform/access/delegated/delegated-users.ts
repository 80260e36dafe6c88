import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import {
  countDelegatedUsers as countStoredUsers,
  fetchDelegatedUser,
  fetchDelegatedUsers,
  fetchStoredIdentitiesOf,
} from '../../../store/access/identity-pages.ts'
import { raiseAccessVersion, readDomain } from '../../../store/domains.ts'
import { endAll, endingsOf, lockIdentities } from '../../../store/access/ended-identities.ts'
import { lockAccounts } from '../../../store/access/principals.ts'
import { updatePlatformRecord, type PlatformRecord } from '../../../store/access/platform-records.ts'
import { changeAccess } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'
import type { Account } from '../accounts/account.ts'
import { toAccount } from '../accounts/accounts.ts'
import { toIdentity, type Identity } from './identity/identities.ts'
import type { Status } from '../accounts/status.ts'

/** A person from another provider whom no document describes. */
export interface DelegatedUser extends Account {
  readonly identities: readonly Identity[]
  readonly createdAt: Date
}

const PERSON = typeThatSignsIn('person').name

/** Lists users by login. The list begins after the given login. */
export async function listDelegatedUsers(
  { database, domain }: AccessContext,
  page: { readonly first: number; readonly after: string | null },
): Promise<DelegatedUser[]> {
  return readDomain(database, domain.id, async (sql) =>
    withIdentities(sql, domain.id, await fetchDelegatedUsers(sql, domain.id, PERSON, page)),
  )
}

export async function countDelegatedUsers({ database, domain }: AccessContext): Promise<number> {
  return readDomain(database, domain.id, (sql) => countStoredUsers(sql, domain.id, PERSON))
}

/** Changes the status. Any status other than ACTIVATED ends everything that the user received: see `Ending`. */
export async function changeDelegatedUser(
  context: AccessContext,
  uuid: string,
  status: Status,
): Promise<DelegatedUser> {
  const { domain } = context
  return changeAccess(context, async (sql) => {
    if (status !== 'ACTIVATED') {
      await lockAccounts(sql, domain.id, [uuid])
      // An unbinding locks identities first and the user second, too.
      await lockIdentities(sql, domain.id, [], [uuid])
    }
    const record = await fetchDelegatedUser(sql, domain.id, PERSON, uuid)
    if (record === null) {
      const message = `there is no user ${uuid} of another provider; change users of the model by an import or updateUser`
      throw new HoldfastError('NOT_FOUND', message)
    }
    const changed = { ...record, body: { ...record.body, status } }
    await updatePlatformRecord(sql, domain.id, uuid, changed.body)
    const [user] = await withIdentities(sql, domain.id, [changed])
    if (user === undefined) throw new Error('a user who was just changed is not there')
    if (status !== 'ACTIVATED') await endAll(sql, domain.id, endingsOf([uuid], 'for good'))
    await raiseAccessVersion(sql, domain.id)
    return user
  })
}

async function withIdentities(
  sql: Sql,
  domainId: number,
  records: readonly PlatformRecord[],
): Promise<DelegatedUser[]> {
  const uuids = records.map(({ uuid }) => uuid)
  const identities = (await fetchStoredIdentitiesOf(sql, domainId, uuids)).map(toIdentity)
  const byAccount = Map.groupBy(identities, ({ account }) => account?.uuid)
  return records.map((record) => ({
    ...toAccount(record),
    identities: byAccount.get(record.uuid) ?? [],
    createdAt: record.createdAt,
  }))
}
