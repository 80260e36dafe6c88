import { GraphQLObjectType, GraphQLString } from 'graphql'
import { recordHistory, type HistoryPlace } from '../../../platform/records/record-history.ts'
import { checkText, checkUuid } from '../../checked-arguments.ts'
import { oncePerExecution } from '../batches.ts'
import type { GraphqlContext } from '../call.ts'
import { operation, type OperationFields } from '../operation.ts'
import { list, nonNull, optional, required } from '../typed.ts'
import { RECORD_CHANGE, type RecordChange } from './record-changes.ts'
import { RECORD_TYPE } from './types.ts'

interface History {
  readonly changes: readonly RecordChange[]
  readonly next: HistoryPlace | null
}

const HISTORY = new GraphQLObjectType<History, GraphqlContext>({
  name: 'RecordHistory',
  description: 'The changes of a record, also under its earlier keys.',
  fields: {
    changes: { type: nonNull(list(RECORD_CHANGE)), description: 'The changes, the latest first.' },
    next: {
      type: GraphQLString,
      description: 'Pass it as `after` to search earlier applies; null if all were searched.',
      resolve: ({ next }) => (next === null ? null : `${next.before}/${next.key}`),
    },
  },
})

const historyOf = oncePerExecution<null, History>(() => null)

export const HISTORY_QUERIES: OperationFields = {
  recordHistory: operation({
    right: 'model:read',
    type: HISTORY,
    description: 'The changes of a record by the last 200 applies, also of one that was deleted.',
    args: {
      type: required(RECORD_TYPE, 'Its type.'),
      recordKey: required(GraphQLString, 'The key of the record, as plans show it.'),
      after: optional(GraphQLString, 'The `next` of the answer before; the search continues there.'),
    },
    async resolve({ context }, { type, recordKey, after = null }, info) {
      const key = checkText(recordKey, 'recordKey')
      const from = after === null ? null : placeOf(after)
      return historyOf(info, JSON.stringify([type, key, from]), async () => {
        const { changes, next } = await recordHistory(context, { type, key }, from)
        return { changes: changes.map((change) => ({ ...change, applyUuid: change.apply.uuid })), next }
      })
    },
  }),
}

function placeOf(after: string): HistoryPlace {
  const [before = '', ...key] = after.split('/')
  return { before: checkUuid(before, 'after'), key: checkText(key.join('/'), 'after') }
}
