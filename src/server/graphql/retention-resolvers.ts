import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type { RetentionChangeView, RetentionResolvers, RetentionView } from '../../graphql/retention-resolvers.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import {
  clearRetention,
  listRetentions,
  setRetention,
  type Retention,
  type RetentionChange,
} from '../../platform/retention/set-retention.ts'
import { checkText } from './arguments.ts'

/** How long datapoints are kept. */
export function retentionResolversFor(context: DomainContext, { units }: Actor): RetentionResolvers {
  return {
    // Who set it is maybe nobody whom somebody with a role within an organization may know of.
    listRetentions: async () =>
      (await listRetentions(context)).map(toView).map((one) => (units === null ? one : { ...one, actor: null })),
    setRetention: async ({ characteristic, keep, acknowledge }) => {
      const name = characteristic == null ? null : checkText(characteristic, 'characteristic')
      return toChange(await setRetention(context, { characteristic: name, keep: keep ?? null, acknowledge }))
    },
    clearRetention: async ({ characteristic, acknowledge }) => {
      const name = checkText(characteristic, 'characteristic')
      return toChange(await clearRetention(context, { characteristic: name, acknowledge }))
    },
  }
}

function toView({ earliest, ...retention }: Retention): RetentionView {
  return { ...retention, earliest: earliest === null ? null : timestampText(earliest) }
}

function toChange({ retention, datapoints }: RetentionChange): RetentionChangeView {
  return { retention: toView(retention), datapoints }
}
