import { GraphQLObjectType, GraphQLString } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { patchBetween } from '../../../plan/compare/patch.ts'
import type { Apply } from '../../../platform/imports/history/applies.ts'
import { listChangePages } from '../../../platform/imports/history/change-pages.ts'
import { findRecords } from '../../../platform/records/read-records.ts'
import { recordType } from '../../../records/registry.ts'
import type { ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import type { GraphqlContext } from '../call.ts'
import { edge } from '../edges/edge.ts'
import { NODE } from '../edges/kinds.ts'
import { withEdges } from '../edges/to-one.ts'
import { checkPageSize, NESTED_ARGUMENTS, pageType } from '../page.ts'
import { JSON_VALUE, TEXT, UUID } from '../scalars.ts'
import { nonNull } from '../typed.ts'

export interface RecordChange extends ApplyChangeRow {
  readonly applyUuid: string
}

const KIND = { right: 'model:read', keepsWithin: false } as const

/** The record as it is now. */
const RECORD = edge({
  kind: { type: NODE, ...KIND },
  type: NODE,
  description: 'The record as it is now; null if it was deleted.',
  keyOf: ({ uuid }: RecordChange) => uuid,
  async load({ call: { context, actor } }, names) {
    const found = await findRecords(context, actor, null, { by: 'uuid', names })
    return new Map(found.map((one) => [one.uuid, { ...one, __typename: recordType(one.type).definition }]))
  },
})

export const RECORD_CHANGE: GraphQLObjectType<RecordChange, GraphqlContext> = new GraphQLObjectType({
  name: 'RecordChange',
  description: 'What an apply did to a record.',
  fields: () =>
    withEdges<RecordChange>(
      {
        type: { type: TEXT, description: 'The record type, as plans show it.' },
        key: { type: TEXT, description: 'The key of the record after the change.' },
        from: { type: GraphQLString, description: 'The key before the change, if it was another one.' },
        action: { type: TEXT, description: 'What was done: create, update, move or delete.' },
        cause: { type: TEXT, description: 'The cause in the plan: you, drift or both.' },
        before: { type: JSON_VALUE, description: 'The record before, without secrets; null if it was created.' },
        after: { type: JSON_VALUE, description: 'The record after, without secrets; null if it was deleted.' },
        patch: {
          type: nonNull(JSON_VALUE),
          description: 'The difference as JSON Patch (RFC 6902).',
          resolve: ({ before, after }) => patchBetween(before, after),
        },
        record: RECORD,
        applyUuid: { type: UUID, description: 'The uuid of the apply.' },
      },
      [{ field: 'applyUuid', to: 'Apply', by: 'uuid' }],
    ),
})

/** The changes of an apply, page by page. A cursor is the number of changes before it. */
export const RECORD_CHANGES = edge({
  kind: { type: RECORD_CHANGE, ...KIND },
  type: pageType(RECORD_CHANGE, 'change of a record', 'changes of records'),
  description: 'The changes, page by page: deletions and other changes in the order of types and keys.',
  args: NESTED_ARGUMENTS,
  keyOf: ({ uuid }: Apply) => uuid,
  async load({ call: { context }, args: { first, after = null } }, uuids) {
    checkPageSize(first)
    const offset = after === null ? 0 : offsetOf(after)
    const pages = await listChangePages(context, uuids, { first, offset })
    return new Map(
      uuids.map((applyUuid) => {
        const { changes, size } = pages.get(applyUuid) ?? { changes: [], size: 0 }
        const view = {
          nodes: changes.map((change) => ({ ...change, applyUuid })),
          cursors: changes.map((_, index) => String(offset + index + 1)),
          hasNextPage: offset + changes.length < size,
          hasPreviousPage: offset > 0,
          totalCount: size,
        }
        return [applyUuid, view]
      }),
    )
  },
})

function offsetOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new HoldfastError('BAD_USER_INPUT', 'after is no cursor of this list; give the endCursor of its last page')
}
