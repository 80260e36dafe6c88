import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { Component } from './component.ts'
import { Connection, type Call, type ConnectOptions } from './connection.ts'
import { follow, followPoints, type Changes, type FollowOptions, type FollowPointsOptions } from './follow.ts'
import type { AnyModel, ModelCode, ModelTypes, Point, SentPoint, SeriesName, SupportOf } from './model.ts'
import { readLatest, type LatestOptions } from './read-series.ts'
import { sendPoints, type SendOptions, type Sent } from './send-points.ts'
import {
  answerSetpoints,
  fetchPending,
  takeSetpoints,
  type PendingSetpoint,
  type SetpointAnswer,
  type TakeOptions,
} from './setpoints.ts'

/** The latest points of series, in their order. */
export type LatestOf<Series extends readonly SeriesName[]> = {
  -readonly [Index in keyof Series]: Series[Index] extends SeriesName<infer Value> ? Point<Value> | null : never
}

/** A connected platform. `M` has the types of its data model. */
export class Holdfast<M extends ModelTypes = AnyModel> {
  readonly #connection: Connection

  constructor(options: ConnectOptions) {
    this.#connection = new Connection(options)
  }

  /** Returns a component of a model. It sends nothing yet. */
  component<Code extends ModelCode<M>>(model: Code, uuid: string): Component<SupportOf<M, Code>> {
    return new Component(this.#connection, model, uuid)
  }

  /** Reads the latest points of many series together: see `at` of a component. */
  async latest<const Series extends readonly SeriesName[]>(
    series: Series,
    options: LatestOptions = {},
  ): Promise<LatestOf<Series>> {
    return (await readLatest(this.#connection, series, options)) as LatestOf<Series>
  }

  /** Sends datapoints in as few batches as possible. Each is stored as a whole or not at all, and once if repeated. */
  send(points: Iterable<SentPoint> | AsyncIterable<SentPoint>, options: SendOptions = {}): Promise<Sent> {
    return sendPoints(this.#connection, points, options)
  }

  followDatapoints(options: FollowPointsOptions = {}): AsyncGenerator<Changes, never> {
    return followPoints(this.#connection, options)
  }

  /** Follows a subscription of GraphQL. It must select `cursor`, and take it as the variable `after`. */
  follow<Message extends { readonly cursor: string }, Given extends object>(
    document: TypedDocumentNode<{ readonly [field: string]: Message }, Given>,
    variables: Given,
    options: FollowOptions = {},
  ): AsyncGenerator<Message, never> {
    return follow(this.#connection, { document, variables, show: (message) => message }, options)
  }

  /** Returns the setpoints that wait for an answer of a device. */
  pendingSetpoints(options: TakeOptions = {}): Promise<readonly PendingSetpoint[]> {
    return fetchPending(this.#connection, options)
  }

  /** Takes setpoints as they come, until the signal is aborted. A setpoint comes again until it is answered. */
  takeSetpoints(options: TakeOptions = {}): AsyncGenerator<PendingSetpoint, never> {
    return takeSetpoints(this.#connection, options)
  }

  answerSetpoints(answers: readonly SetpointAnswer[], call: Call = {}): Promise<void> {
    return answerSetpoints(this.#connection, answers, call)
  }

  /** Runs a query of GraphQL, which is repeated if its answer is lost. */
  query<Data, Given extends object>(
    document: TypedDocumentNode<Data, Given>,
    variables: Given,
    call: Call = {},
  ): Promise<Data> {
    return this.#connection.query(document, variables, call)
  }

  /** Runs a mutation of GraphQL once. If the mutation may run twice, run it as a query. */
  mutate<Data, Given extends object>(
    document: TypedDocumentNode<Data, Given>,
    variables: Given,
    call: Call = {},
  ): Promise<Data> {
    return this.#connection.mutate(document, variables, call)
  }
}
