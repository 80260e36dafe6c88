import { findRefusedDatapoints, listRefusedDatapoints } from '../../../platform/datapoints/refused/list-refused.ts'
import { REFUSED_DATAPOINT } from '../../../records/entities.ts'
import { checkedFilter, entityFilter, nodeType } from '../entities.ts'
import { operation, type OperationFields } from '../operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from '../page.ts'
import { nonNull, optional } from '../typed.ts'

const REFUSED_DATAPOINT_TYPE = nodeType(REFUSED_DATAPOINT, {
  find: ({ context, actor }, uuids) => findRefusedDatapoints(context, actor, uuids),
})

export const REFUSED_DATAPOINT_QUERIES: OperationFields = {
  refusedDatapoints: operation({
    right: REFUSED_DATAPOINT.rights.read,
    keepsWithin: true,
    type: nonNull(pageType(REFUSED_DATAPOINT_TYPE, 'entry of refused datapoints', 'refused datapoints')),
    description:
      'Datapoints that were refused in the last 30 days, counted by series, sender, reason and day, the latest first. New refusals appear within seconds. If there are too many entries, the oldest are counted together.',
    args: {
      ...PAGE_ARGUMENTS,
      filter: optional(entityFilter(REFUSED_DATAPOINT), 'Selects some of them. Left out: all.'),
    },
    resolve: async ({ context, actor }, args, info) => {
      const filter = checkedFilter(REFUSED_DATAPOINT, args.filter)
      return pageView(args, await listRefusedDatapoints(context, actor, filter, pageRequest(args, info)))
    },
  }),
}
