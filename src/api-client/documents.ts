import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { parse } from 'graphql'
import type { Operations } from '../../generated/client-operations.ts'

type Documents = {
  readonly [Name in keyof Operations]: TypedDocumentNode<Operations[Name]['data'], Operations[Name]['variables']>
}

const SERIES_VARIABLES =
  '$component: ID!, $service: String!, $characteristic: String!, $from: DateTime, $to: DateTime, $serviceChange: String'
const ONE_SERIES =
  'component: $component, service: $service, characteristic: $characteristic, from: $from, to: $to, serviceChange: $serviceChange'

/** The GraphQL operations of the client. `npm run types` checks them against the schema and writes their types. */
export const DOCUMENTS: Documents = {
  Supports: parse(`query Supports($components: [ID!]!) {
    components(first: 1000, filter: { uuids: $components }) {
      nodes {
        uuid systemUuid componentModel
        supports { service serviceUuid characteristic characteristicUuid }
      }
    }
  }`),
  Latest: parse(`query Latest(
    $components: [ID!]!, $services: [String!]!, $characteristics: [String!]!, $before: DateTime, $serviceChange: String
  ) {
    latestDatapoints(
      components: $components, services: $services, characteristics: $characteristics, before: $before,
      serviceChange: $serviceChange
    ) {
      componentUuid service characteristic timestamp value
    }
  }`),
  Page: parse(`query Page(
    ${SERIES_VARIABLES},
    $first: Int, $after: String, $order: PointOrder
  ) {
    datapoints(${ONE_SERIES}, first: $first, after: $after, order: $order) {
      points { timestamp value }
      pageInfo { hasNextPage endCursor }
    }
  }`),
  Buckets: parse(`query Buckets(
    ${SERIES_VARIABLES},
    $interval: Duration!, $timeZone: String, $aggregations: [Aggregation!]!, $fill: Fill
  ) {
    datapoints(${ONE_SERIES}, interval: $interval, timeZone: $timeZone, aggregations: $aggregations, fill: $fill) {
      buckets { from to min max avg timeWeightedAvg sum count first last median p95 delta changes }
    }
  }`),
  Curve: parse(`query Curve(
    ${SERIES_VARIABLES},
    $maxPoints: Int!, $thinning: Thinning
  ) {
    datapoints(${ONE_SERIES}, maxPoints: $maxPoints, thinning: $thinning) {
      points { timestamp value }
      states { from to value count }
    }
  }`),
  Set: parse(`mutation Set($components: [ComponentSetpointInput!]!, $expiresAt: DateTime, $expiresIn: Duration) {
    setSetpoints(components: $components, expiresAt: $expiresAt, expiresIn: $expiresIn) {
      uuid componentUuid service characteristic value state createdAt expiresAt reason
    }
  }`),
  FollowDatapoints: parse(`subscription FollowDatapoints(
    $systems: [ID!], $components: [ID!], $services: [String!], $characteristics: [String!], $after: String
  ) {
    datapoints(
      systems: $systems, components: $components, services: $services, characteristics: $characteristics, after: $after
    ) {
      cursor
      datapoints { componentUuid service characteristic timestamp value }
    }
  }`),
}
