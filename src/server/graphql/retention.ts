import { GraphQLBoolean, GraphQLObjectType, GraphQLString } from 'graphql'
import {
  clearRetention,
  listRetentions,
  setRetention,
  type RetentionChange,
} from '../../platform/datapoints/retention/set-retention.ts'
import { checkName } from '../checked-arguments.ts'
import { RETENTION } from '../../records/entities.ts'
import type { GraphqlContext } from './call.ts'
import { entityType } from './entities.ts'
import { operation, type OperationFields } from './operation.ts'
import { DURATION, INTEGER } from './scalars.ts'
import { defaulting, list, nonNull, optional, required } from './typed.ts'

const RETENTION_TYPE = entityType(RETENTION)

const RETENTION_CHANGE = new GraphQLObjectType<RetentionChange, GraphqlContext>({
  name: 'RetentionChange',
  description: 'How long datapoints are kept from now on.',
  fields: {
    retention: { type: nonNull(RETENTION_TYPE), description: 'The present retention.' },
    datapoints: {
      type: nonNull(INTEGER),
      description:
        'Number of stored datapoints that this change deletes. Answers no longer contain them. They are deleted within an hour, or together with their month if their days are joined.',
    },
  },
})

const ACKNOWLEDGE = defaulting(
  GraphQLBoolean,
  false,
  'Accepts that stored datapoints are deleted. Otherwise a change that deletes any is BLOCKED, and the error has their number.',
)

export const RETENTION_QUERIES: OperationFields = {
  retention: operation({
    right: RETENTION.rights.read,
    keepsWithin: true,
    type: nonNull(list(RETENTION_TYPE)),
    description:
      'How long datapoints are kept: first the retention of the domain, then the retentions of characteristics, by key.',
    async resolve({ context, actor: { units } }) {
      const retentions = await listRetentions(context)
      // A caller with a role within an organization may not see the account that set it.
      return units === null ? retentions : retentions.map((retention) => ({ ...retention, changedBy: null }))
    },
  }),
}

export const RETENTION_MUTATIONS: OperationFields = {
  setRetention: operation({
    right: RETENTION.rights.write,
    type: nonNull(RETENTION_CHANGE),
    description: 'Sets how long datapoints are kept.',
    args: {
      characteristic: optional(
        GraphQLString,
        'Uuid or record key. Left out or null: all characteristics that have no retention of their own.',
      ),
      keep: optional(DURATION, 'ISO 8601, in whole days and more: P30D, P12W, P6M, P5Y. Left out or null: for ever.'),
      acknowledge: ACKNOWLEDGE,
    },
    async resolve({ context }, { characteristic: name, keep = null, acknowledge }) {
      const characteristic = name == null ? null : checkName(name, 'characteristic')
      return setRetention(context, { characteristic, keep, acknowledge })
    },
  }),
  clearRetention: operation({
    right: RETENTION.rights.write,
    type: nonNull(RETENTION_CHANGE),
    description: 'Removes the retention of a characteristic, so that the retention of the domain applies to it.',
    args: { characteristic: required(GraphQLString, 'Uuid or record key.'), acknowledge: ACKNOWLEDGE },
    resolve: ({ context }, { characteristic, acknowledge }) =>
      clearRetention(context, { characteristic: checkName(characteristic, 'characteristic'), acknowledge }),
  }),
}
