import type { Json } from '../lib/json.ts'
import type { Operations } from '../../generated/client-operations.ts'
import type { Connection } from './connection.ts'
import { DOCUMENTS } from './documents.ts'
import { follow, type FollowOptions } from './follow.ts'
import { pathOf } from './known-components.ts'

export type { FollowOptions } from './follow.ts'

/** A new datapoint. */
export interface FollowedPoint<P extends string = string, Value = Json> {
  readonly component: string
  readonly path: P
  readonly timestamp: string
  readonly value: Value
}

/** Points that were stored together, and the cursor after them. */
export interface Changes<Followed = FollowedPoint> {
  readonly cursor: string
  readonly points: readonly Followed[]
}

type Variables = Operations['FollowDatapoints']['variables']

/** The selected series must meet all given conditions. */
export type FollowPointsOptions = FollowOptions & Omit<Variables, 'after'>

export function followPoints(
  connection: Connection,
  { systems, components, services, characteristics, ...options }: FollowPointsOptions,
): AsyncGenerator<Changes, never> {
  const following = {
    document: DOCUMENTS.FollowDatapoints,
    variables: { systems, components, services, characteristics },
    show: ({ cursor, datapoints }: Operations['FollowDatapoints']['data']['datapoints']) => ({
      cursor,
      points: datapoints.map(({ componentUuid, timestamp, value, ...series }) => {
        return { component: componentUuid, path: pathOf(series), timestamp, value }
      }),
    }),
  }
  return follow(connection, following, options)
}
