import { textLength } from '../../../../lib/text-length.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import { raiseAccessVersion, readDomain } from '../../../../store/domains.ts'
import {
  deletePlatformAccounts,
  endAll,
  fetchAbandoned,
  loosenIdentities,
} from '../../../../store/access/ended-identities.ts'
import {
  countIdentities as countStoredIdentities,
  fetchIdentityPage,
  fetchStoredIdentities,
  forgetIdentity,
  lockStoredIdentity,
  type IdentityFilter,
  type StoredIdentity,
} from '../../../../store/access/identity-pages.ts'
import { fetchBytes } from '../../../../store/entities.ts'
import { EXTERNAL_IDENTITY } from '../../../../records/entities.ts'
import type { Placed } from '../../../../store/cursors.ts'
import { changeDomain } from '../../../change-domain.ts'
import type { AccessContext } from '../../access-context.ts'
import type { EntityOf } from '../../../../records/entity.ts'
import type { Account } from '../../accounts/account.ts'
import { toAccount } from '../../accounts/accounts.ts'

/** An identity at another provider, and its account here. */
export type Identity = EntityOf<'ExternalIdentity'>

/** Lists identities, newest first. `after` is the cursor of an identity. */
export async function listIdentities(
  { database, domain }: AccessContext,
  filter: IdentityFilter,
  page: { readonly first: number; readonly after: string | null },
): Promise<Placed<Identity>[]> {
  const found = await readDomain(database, domain.id, (sql) => fetchIdentityPage(sql, domain.id, filter, page))
  return found.map(({ item, cursor }) => ({ item: toIdentity(item), cursor }))
}

export async function countIdentities({ database, domain }: AccessContext, filter: IdentityFilter): Promise<number> {
  return readDomain(database, domain.id, (sql) => countStoredIdentities(sql, domain.id, filter))
}

/** Finds the existing identities among these. */
export async function findIdentities(context: AccessContext, uuids: readonly string[]): Promise<readonly Identity[]> {
  const { database, domain, budget } = context
  const found = await readDomain(database, domain.id, async (sql) => {
    budget?.check(await fetchBytes(sql, domain.id, EXTERNAL_IDENTITY, uuids))
    return fetchStoredIdentities(sql, domain.id, uuids)
  })
  budget?.take(textLength(found))
  return found.map(toIdentity)
}

/**
 * Unbinds an identity, and ends every session and token issued to it at once. Returns the identity as it was before.
 * The next sign-in starts anew, and a person who is not in the model gets another account. An identity that is not
 * bound to an account is deleted.
 */
export async function unbindIdentity(context: AccessContext, uuid: string): Promise<Identity> {
  const { domain, now } = context
  return changeDomain(context, async (sql) => {
    const stored = await lockStoredIdentity(sql, domain.id, uuid)
    if (stored === null) throw new HoldfastError('NOT_FOUND', `there is no identity ${uuid}`)
    const { account, accountUuid } = stored
    if (account !== null && !account.isOfModel) checkIsNotShutOut(toAccount(account))
    if (accountUuid === null) await forgetIdentity(sql, domain.id, uuid)
    const loosened = accountUuid === null ? [] : await loosenIdentities(sql, domain.id, [stored], now())
    const abandoned = await fetchAbandoned(sql, domain.id, accountUuid === null ? [] : [accountUuid])
    await endAll(sql, domain.id, [...loosened, ...(await deletePlatformAccounts(sql, domain.id, abandoned))])
    await raiseAccessVersion(sql, domain.id)
    return toIdentity(stored)
  })
}

function checkIsNotShutOut({ login, status }: Account): void {
  if (status === 'ACTIVATED') return
  const message = `${login} is ${status}: without this identity the person could return as somebody new; the identity already lets nobody in`
  throw new HoldfastError('CONFLICT', message)
}

export function toIdentity({ account, ...stored }: StoredIdentity): Identity {
  return { ...stored, account: account === null ? null : { ...toAccount(account), isOfModel: account.isOfModel } }
}
