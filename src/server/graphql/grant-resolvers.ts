import type { Grant } from '../../../generated/settings.ts'
import type { GrantResolvers, GrantView } from '../../graphql/grant-resolvers.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { listImpliedGrants } from '../../platform/access/grants/implied-grants.ts'
import { listLostRights } from '../../platform/access/grants/lost-rights.ts'
import { createRecord, deleteRecord } from '../../platform/records/change-record.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { listRecords } from '../../platform/records/read-records.ts'
import { ACCESS } from '../../records/record-type.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import { checkPageSize, checkText } from './arguments.ts'

/** Who may do what: grants are records, and are written like them. */
export function grantResolversFor(context: DomainContext, actor: Actor): GrantResolvers {
  return {
    async listGrants({ first, after = null }) {
      checkPageSize(first)
      const order = { by: 'KEY', direction: 'ASC' } as const
      const { items, hasNext, total } = await listRecords(context, actor, ACCESS, { first, after, filter: {}, order })
      return { nodes: items.map(toView), hasNextPage: hasNext, hasPreviousPage: after !== null, totalCount: total }
    },
    listLostRights: () => listLostRights(context),
    listImpliedGrants: () => listImpliedGrants(context),
    createGrant: async (input, allow) => toView(await createRecord(context, ACCESS, withoutNulls(input), allow)),
    deleteGrant: async (key) => toView(await deleteRecord(context, ACCESS, checkText(key, 'key'), [])),
  }
}

function toView({ uuid, key, body, createdAt }: StoredRecord): GrantView {
  return { ...(body as unknown as Grant), uuid, key, createdAt }
}

/** To GraphQL, null and left out are the same here. */
function withoutNulls(input: Grant): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) as JsonObject
}
