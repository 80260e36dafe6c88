import type {
  AccessResolvers,
  DelegatedUserPage,
  DelegatedUserView,
  IdentityFilterView,
  IdentityPage,
  IdentityView,
} from '../../graphql/access-resolvers.ts'
import {
  changeDelegatedUser,
  listDelegatedUsers,
  type DelegatedUser,
} from '../../platform/access/delegated/delegated-users.ts'
import { changeDomainSettings, domainSettings } from '../../platform/access/methods/domain-settings.ts'
import { listIdentities, unbindIdentity, type Identity } from '../../platform/access/delegated/identities.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
} from '../../platform/access/methods/methods.ts'
import { createPasswordLink } from '../../platform/access/accounts/password-links.ts'
import { rotateSigningKey } from '../../platform/access/keys/signing-keys.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { checkPageSize, checkText, checkUuid } from './arguments.ts'

/** Who may sign in, and how. */
export function accessResolversFor(context: DomainContext): AccessResolvers {
  return {
    domainSettings: () => domainSettings(context),
    updateDomain: async (settings) =>
      changeDomainSettings(context, { ...(await domainSettings(context)), ...settings }),
    listMethods: () => listMethods(context),
    createDelegatedMethod: (method) => createDelegatedMethod(context, method),
    updateMethod: ({ uuid, ...patch }) => updateMethod(context, checkUuid(uuid, 'uuid'), patch),
    deleteMethod: (uuid) => deleteMethod(context, checkUuid(uuid, 'uuid')),
    listDelegatedUsers: (first, after) => listPage(context, first, after),
    updateDelegatedUser: async (uuid, status) =>
      viewOfUser(await changeDelegatedUser(context, checkUuid(uuid, 'uuid'), status)),
    listIdentities: (filter, first, after) => listIdentityPage(context, filter, first, after),
    unbindIdentity: async (uuid) => viewOf(await unbindIdentity(context, checkUuid(uuid, 'uuid'))),
    rotateSigningKey: () => rotateSigningKey(context),
    async createPasswordLink(email) {
      const { token, expiresAt } = await createPasswordLink(context, checkText(email, 'email'), context.actor)
      return { path: `/login/password?link=${token}`, expiresAt }
    },
  }
}

async function listPage(context: DomainContext, first: number, after: string | null): Promise<DelegatedUserPage> {
  checkPageSize(first)
  const from = after === null ? null : checkText(after, 'after')
  const users = await listDelegatedUsers(context, { first: first + 1, after: from })
  return {
    users: users.slice(0, first).map(viewOfUser),
    hasNextPage: users.length > first,
    hasPreviousPage: after !== null,
  }
}

async function listIdentityPage(
  context: DomainContext,
  { account, method, isRefused }: IdentityFilterView,
  first: number,
  after: string | null,
): Promise<IdentityPage> {
  checkPageSize(first)
  const filter = { account: uuidOrNull(account, 'account'), method: uuidOrNull(method, 'method'), isRefused }
  const page = { first: first + 1, after: uuidOrNull(after, 'after') }
  const identities = (await listIdentities(context, filter, page)).map(viewOf)
  return {
    identities: identities.slice(0, first),
    hasNextPage: identities.length > first,
    hasPreviousPage: after !== null,
  }
}

function uuidOrNull(text: string | null, name: string): string | null {
  return text === null ? null : checkUuid(text, name)
}

function viewOfUser(user: DelegatedUser): DelegatedUserView {
  return { ...user, identities: user.identities.map(viewOf) }
}

function viewOf({ methodUuid, isVerified, accountUuid: _, ...identity }: Identity): IdentityView {
  return { ...identity, method: methodUuid, emailVerified: isVerified }
}
