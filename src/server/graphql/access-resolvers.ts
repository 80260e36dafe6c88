import type { AccessResolvers, DelegatedUserPage } from '../../graphql/access-resolvers.ts'
import { changeDelegatedUser, listDelegatedUsers } from '../../platform/access/delegated-users.ts'
import { changeDomainSettings, domainSettings } from '../../platform/access/domain-settings.ts'
import { createDelegatedMethod, deleteMethod, listMethods, updateMethod } from '../../platform/access/methods.ts'
import { createPasswordLink } from '../../platform/access/password-links.ts'
import { rotateSigningKey } from '../../platform/access/signing-keys.ts'
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
    updateDelegatedUser: (uuid, status) => changeDelegatedUser(context, checkUuid(uuid, 'uuid'), status),
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
  return { users: users.slice(0, first), hasNextPage: users.length > first, hasPreviousPage: after !== null }
}
