// Generated from src/api-client/documents.ts by "npm run types". Do not edit.
import type { Json } from '../src/lib/json.ts'

/** The variables and the data of each operation. */
export interface Operations {
  Supports: {
    variables: {
      readonly components: readonly (string)[]
    }
    data: {
      readonly components: {
        readonly nodes: readonly ({
          readonly uuid: string
          readonly systemUuid: string
          readonly componentModel: string
          readonly supports: readonly ({
            readonly service: string
            readonly serviceUuid: string
            readonly characteristic: string
            readonly characteristicUuid: string
          })[]
        })[]
      }
    }
  }
  Latest: {
    variables: {
      readonly components: readonly (string)[]
      readonly services: readonly (string)[]
      readonly characteristics: readonly (string)[]
      readonly before?: string | null | undefined
      readonly serviceChange?: string | null | undefined
    }
    data: {
      readonly latestDatapoints: readonly ({
        readonly componentUuid: string
        readonly service: string
        readonly characteristic: string
        readonly timestamp: string
        readonly value: Json
      })[]
    }
  }
  Page: {
    variables: {
      readonly component: string
      readonly service: string
      readonly characteristic: string
      readonly from?: string | null | undefined
      readonly to?: string | null | undefined
      readonly serviceChange?: string | null | undefined
      readonly first?: number | null | undefined
      readonly after?: string | null | undefined
      readonly order?: 'OLDEST_FIRST' | 'NEWEST_FIRST' | null | undefined
    }
    data: {
      readonly datapoints: {
        readonly points: readonly ({
          readonly timestamp: string
          readonly value: Json
        })[] | null
        readonly pageInfo: {
          readonly hasNextPage: boolean
          readonly endCursor: string | null
        } | null
      }
    }
  }
  Buckets: {
    variables: {
      readonly component: string
      readonly service: string
      readonly characteristic: string
      readonly from?: string | null | undefined
      readonly to?: string | null | undefined
      readonly serviceChange?: string | null | undefined
      readonly interval: string
      readonly timeZone?: string | null | undefined
      readonly aggregations: readonly ('MIN' | 'MAX' | 'AVG' | 'TIME_WEIGHTED_AVG' | 'SUM' | 'COUNT' | 'FIRST' | 'LAST' | 'MEDIAN' | 'P95' | 'DELTA' | 'CHANGES')[]
      readonly fill?: 'NONE' | 'NULL' | 'PREVIOUS' | 'LINEAR' | null | undefined
    }
    data: {
      readonly datapoints: {
        readonly buckets: readonly ({
          readonly from: string
          readonly to: string
          readonly min: Json | null
          readonly max: Json | null
          readonly avg: Json | null
          readonly timeWeightedAvg: Json | null
          readonly sum: Json | null
          readonly count: Json | null
          readonly first: Json | null
          readonly last: Json | null
          readonly median: Json | null
          readonly p95: Json | null
          readonly delta: Json | null
          readonly changes: Json | null
        })[] | null
      }
    }
  }
  Curve: {
    variables: {
      readonly component: string
      readonly service: string
      readonly characteristic: string
      readonly from?: string | null | undefined
      readonly to?: string | null | undefined
      readonly serviceChange?: string | null | undefined
      readonly maxPoints: number
      readonly thinning?: 'SHAPE' | 'EXTREMES' | null | undefined
    }
    data: {
      readonly datapoints: {
        readonly points: readonly ({
          readonly timestamp: string
          readonly value: Json
        })[] | null
        readonly states: readonly ({
          readonly from: string
          readonly to: string
          readonly value: Json
          readonly count: number
        })[] | null
      }
    }
  }
  Set: {
    variables: {
      readonly components: readonly ({
        readonly component: string
        readonly service: string
        readonly characteristic: string
        readonly value: Json
      })[]
      readonly expiresAt?: string | null | undefined
      readonly expiresIn?: string | null | undefined
    }
    data: {
      readonly setSetpoints: readonly ({
        readonly uuid: string
        readonly componentUuid: string
        readonly service: string
        readonly characteristic: string
        readonly value: Json
        readonly state: 'PENDING' | 'SENT' | 'ACKNOWLEDGED' | 'APPLIED' | 'REJECTED' | 'EXPIRED' | 'SUPERSEDED'
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly reason: string | null
      })[]
    }
  }
  FollowDatapoints: {
    variables: {
      readonly systems?: readonly (string)[] | null | undefined
      readonly components?: readonly (string)[] | null | undefined
      readonly services?: readonly (string)[] | null | undefined
      readonly characteristics?: readonly (string)[] | null | undefined
      readonly after?: string | null | undefined
    }
    data: {
      readonly datapoints: {
        readonly cursor: string
        readonly datapoints: readonly ({
          readonly componentUuid: string
          readonly service: string
          readonly characteristic: string
          readonly timestamp: string
          readonly value: Json
        })[]
      }
    }
  }
}
