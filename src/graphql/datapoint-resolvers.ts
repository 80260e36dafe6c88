import type { Aggregation } from '../datapoints/buckets/aggregate.ts'
import type { Fill } from '../datapoints/buckets/fill.ts'
import type { JsonObject } from '../lib/json.ts'

// What the schema asks of the platform about stored datapoints.

export interface DatapointArguments {
  readonly component: string
  readonly service: string
  readonly characteristic: string
  readonly dataType?: string | null
  readonly from?: string | null
  readonly to?: string | null
  readonly interval?: string | null
  readonly timeZone?: string | null
  readonly aggregations?: readonly Aggregation[] | null
  readonly fill?: Fill | null
  readonly maxPoints?: number | null
  readonly thinning?: 'shape' | 'extremes' | null
  readonly first?: number | null
  readonly after?: string | null
  readonly order?: 'oldest first' | 'newest first' | null
  readonly serviceChange?: string | null
}

export interface LatestArguments {
  readonly systems?: readonly string[] | null
  readonly components?: readonly string[] | null
  readonly services?: readonly string[] | null
  readonly characteristics?: readonly string[] | null
  readonly dataType?: string | null
  readonly before?: string | null
  readonly serviceChange?: string | null
}

/** One characteristic of one service of one component. */
export interface SeriesView {
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly serviceKey: string
  readonly characteristicUuid: string
  readonly characteristicKey: string
  readonly characteristic: JsonObject
  readonly otherDataTypes?: readonly string[]
}

export interface DatapointView {
  readonly timestamp: string
  readonly value: unknown
}

export interface BucketView {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly figures: { readonly [aggregation in Aggregation]?: unknown }
}

export interface StateView {
  readonly from: string
  readonly to: string
  readonly value: unknown
  readonly count: number
}

export interface PointPageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** What was not asked for is null. */
export interface DatapointsView {
  readonly series: SeriesView
  readonly points: readonly DatapointView[] | null
  readonly pageInfo: PointPageInfo | null
  readonly buckets: readonly BucketView[] | null
  readonly states: readonly StateView[] | null
}

export interface LatestDatapointView extends DatapointView {
  readonly series: SeriesView
}

export interface DatapointResolvers {
  readDatapoints(args: DatapointArguments): Promise<DatapointsView>
  readLatestDatapoints(args: LatestArguments): Promise<readonly LatestDatapointView[]>
}
