import { GraphQLBoolean, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import {
  clearRetention,
  listRetentions,
  setRetention,
  type Retention,
  type RetentionChange,
} from '../../platform/retention/set-retention.ts'
import { checkText } from '../checked-arguments.ts'
import type { GraphqlContext } from './call.ts'
import { operation, type OperationFields } from './operation.ts'
import { DATE_TIME, INTEGER } from './scalars.ts'
import { defaulting, list, nonNull, optional, required } from './typed.ts'

const RETENTION = new GraphQLObjectType<Retention, GraphqlContext>({
  name: 'Retention',
  description: 'How long datapoints are kept. What is older is not accepted, not shown, and deleted.',
  fields: {
    characteristicUuid: {
      type: GraphQLID,
      description: 'Of this characteristic; null: of all that have no retention of their own.',
      resolve: ({ characteristic }) => characteristic?.uuid ?? null,
    },
    characteristic: {
      type: GraphQLString,
      description: 'The record key of the characteristic.',
      resolve: ({ characteristic }) => characteristic?.key ?? null,
    },
    keep: { type: GraphQLString, description: 'ISO 8601, in whole days and more; null: for ever.' },
    earliest: {
      type: DATE_TIME,
      description: 'The first time that is kept today: the beginning of a day (UTC). Null: all is.',
      resolve: ({ earliest }) => (earliest === null ? null : timestampText(earliest)),
    },
    changedBy: {
      type: GraphQLString,
      description: 'Who set it; null for roles within an organization.',
      resolve: ({ actor }) => actor,
    },
    changedAt: { type: DATE_TIME, description: 'When it was set; null: never.' },
  },
})

const RETENTION_CHANGE = new GraphQLObjectType<RetentionChange, GraphqlContext>({
  name: 'RetentionChange',
  description: 'How long datapoints are kept from now on.',
  fields: {
    retention: { type: nonNull(RETENTION), description: 'What holds now.' },
    datapoints: {
      type: nonNull(INTEGER),
      description: 'How many stored datapoints that costs. They are not shown any more, and deleted within the hour.',
    },
  },
})

const ACKNOWLEDGE = defaulting(
  GraphQLBoolean,
  false,
  'That stored datapoints are deleted. Without it a change that costs any is BLOCKED, and says how many.',
)

export const RETENTION_QUERIES: OperationFields = {
  retention: operation({
    right: 'data:read',
    keepsWithin: true,
    type: nonNull(list(RETENTION)),
    description: 'How long datapoints are kept: of the domain first, then those of single characteristics, by key.',
    async resolve({ context, actor: { units } }) {
      const retentions = await listRetentions(context)
      // A caller with a role within an organization may not know of the account that has set it.
      return units === null ? retentions : retentions.map((retention) => ({ ...retention, actor: null }))
    },
  }),
}

export const RETENTION_MUTATIONS: OperationFields = {
  setRetention: operation({
    right: 'model:write',
    type: nonNull(RETENTION_CHANGE),
    description: 'Sets how long datapoints are kept.',
    args: {
      characteristic: optional(
        GraphQLString,
        'Uuid or record key. Left out or null: all characteristics that have no retention of their own.',
      ),
      keep: optional(
        GraphQLString,
        'ISO 8601, in whole days and more: P30D, P12W, P6M, P5Y. Left out or null: for ever.',
      ),
      acknowledge: ACKNOWLEDGE,
    },
    async resolve({ context }, { characteristic: name, keep = null, acknowledge }) {
      const characteristic = name == null ? null : checkText(name, 'characteristic')
      return setRetention(context, { characteristic, keep, acknowledge })
    },
  }),
  clearRetention: operation({
    right: 'model:write',
    type: nonNull(RETENTION_CHANGE),
    description: 'Takes the retention of a characteristic away: from now on that of the domain holds for it.',
    args: { characteristic: required(GraphQLString, 'Uuid or record key.'), acknowledge: ACKNOWLEDGE },
    resolve: ({ context }, { characteristic, acknowledge }) =>
      clearRetention(context, { characteristic: checkText(characteristic, 'characteristic'), acknowledge }),
  }),
}
