import { randomBytes } from 'node:crypto'
import type { ApplyView } from '../../graphql/apply-view.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { CallerView, RecordConnection, RecordListArguments, Resolvers } from '../../graphql/resolvers.ts'
import type { SubscriptionResolvers } from '../../graphql/subscription-resolvers.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { findApply, listApplies, listApplyChanges, type Apply } from '../../platform/imports/applies.ts'
import { carryOutApply } from '../../platform/imports/carry-out-apply.ts'
import { createRecord, deleteRecord, updateRecord } from '../../platform/records/change-record.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { exportAccess, exportDocument } from '../../platform/imports/export-document.ts'
import { planImport } from '../../platform/imports/plan-import.ts'
import type { Reader } from '../../plan/withhold.ts'
import { readSettings } from '../../platform/imports/read-import.ts'
import { findRecord, listRecords } from '../../platform/records/read-records.ts'
import { planRollback } from '../../platform/imports/roll-back.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { accessResolversFor } from './access-resolvers.ts'
import { datapointResolversFor } from './datapoint-resolvers.ts'
import { grantResolversFor } from './grant-resolvers.ts'
import { eventResolversFor } from './event-resolvers.ts'
import { retentionResolversFor } from './retention-resolvers.ts'
import { sessionResolversFor } from './session-resolvers.ts'
import { setpointResolversFor } from './setpoint-resolvers.ts'
import { systemResolversFor } from './system-resolvers.ts'
import { checkPageSize, checkText, checkUuid } from './arguments.ts'

const SECRET_BYTES = 32

/** What GraphQL asks for, done by the operations of the platform on behalf of one request. */
export function resolversFor(
  context: DomainContext,
  actor: Actor,
  subscriptions: SubscriptionResolvers,
  tokenHash: Uint8Array,
): Resolvers {
  return {
    currentDomain: () => context.domain,
    me: () => callerView(actor),
    newSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
    listRecords: (type, query) => listConnection(context, actor, type, query),
    findRecord: (type, key) => findRecord(context, actor, type, checkText(key, 'the key')),
    createRecord: (type, input, allow) => createRecord(context, type, input, allow),
    updateRecord: (type, key, input, allow) => updateRecord(context, type, checkText(key, 'the key'), input, allow),
    deleteRecord: (type, key, allow) => deleteRecord(context, type, checkText(key, 'the key'), allow),
    planImport: (document, settings) => planImport(context, document, settings, readerOf(actor)),
    importDocument: (types) => exportDocument(context, types),
    accessDocument: () => exportAccess(context),
    applyImport: async ({ document, settings, plan, origin }) => {
      for (const [name, value] of Object.entries(origin ?? {})) checkOrigin(name, value)
      const apply = await carryOutApply(context, { document, settings, plan, origin: origin ?? {} })
      return toView(apply)
    },
    listApplies: async (first, after) => {
      checkPageSize(first)
      const applies = await listApplies(context, first + 1, after === null ? null : checkUuid(after, 'after'))
      return {
        applies: applies.slice(0, first).map(toView),
        hasNextPage: applies.length > first,
        hasPreviousPage: after !== null,
      }
    },
    findApply: (uuid) => findApply(context, checkUuid(uuid, 'uuid')).then(toView, nullIfNotFound),
    listApplyChanges: (uuid) => listApplyChanges(context, uuid),
    ...accessResolversFor(context),
    ...sessionResolversFor(context, actor, tokenHash),
    ...grantResolversFor(context, actor),
    ...systemResolversFor(context, actor),
    ...eventResolversFor(context, actor),
    ...setpointResolversFor(context, actor),
    ...datapointResolversFor(context, actor),
    ...retentionResolversFor(context, actor),
    ...subscriptions,
    planRollback: (apply, settings) =>
      planRollback(context, checkUuid(apply, 'apply'), readSettings(settings), readerOf(actor)),
  }
}

/** What a plan may show of the platform beside the document. */
export function readerOf({ rights }: Actor): Reader {
  return { readsModel: rights.has('model:read'), readsData: rights.has('data:read') }
}

function callerView({ name, account, scopes, rights, roles }: Actor): CallerView {
  return { name, kind: account?.kind ?? 'platform', login: account?.login ?? null, scopes, rights: [...rights], roles }
}

async function listConnection(
  context: DomainContext,
  actor: Actor,
  type: RecordTypeName,
  query: RecordListArguments,
): Promise<RecordConnection> {
  checkPageSize(query.first)
  const { status, recordKeys, search } = query.filter ?? {}
  const { items, hasNext, total } = await listRecords(context, actor, type, {
    first: query.first,
    after: query.after ?? null,
    filter: {
      ...(status && { status }),
      ...(recordKeys && { keys: recordKeys.map((key) => checkText(key, 'filter.recordKeys')) }),
      ...(search && { search: checkText(search, 'filter.search') }),
    },
    order: query.orderBy ?? { by: 'KEY', direction: 'ASC' },
  })
  const edges = items.map((node) => ({ node, cursor: node.uuid }))
  return { edges, hasNextPage: hasNext, hasPreviousPage: query.after != null, totalCount: total }
}

function checkOrigin(name: string, value: unknown): void {
  if (typeof value !== 'string') return
  if (name === 'applyId' || name === 'rollbackOf') checkUuid(value, `origin.${name}`)
  else checkText(value, `origin.${name}`)
}

export function toView({ scope, origin, ...apply }: Apply): ApplyView {
  const { rollbackOf = null, ...source } = origin
  return {
    ...apply,
    origin: source,
    rollbackOf: typeof rollbackOf === 'string' ? rollbackOf : null,
    scope: Object.entries(scope).map(([type, state]) => ({ type, state: String(state) })),
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null
  throw error
}
