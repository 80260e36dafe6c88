import type { ConnectOptions } from './connection.ts'
import { Holdfast } from './holdfast.ts'
import type { AnyModel, ModelTypes } from './model.ts'

/** Connects to a platform. It sends nothing yet. `M` is the type that `holdfast types` writes for a data model. */
export function connect<M extends ModelTypes = AnyModel>(options: ConnectOptions): Holdfast<M> {
  return new Holdfast<M>(options)
}

export { ApiError } from './api-error.ts'
export type { Component, FollowedOf, PendingOf, Setpoint, SetOptions, Values } from './component.ts'
export type { Call, ConnectOptions, Credentials } from './connection.ts'
export type { Changes, FollowedPoint, FollowOptions, FollowPointsOptions } from './follow-points.ts'
export type { Holdfast, LatestOf } from './holdfast.ts'
export type { AnyModel, ModelTypes, Point, SentPoint, SeriesName, Time } from './model.ts'
export type {
  Bucket,
  BucketOptions,
  Curve,
  CurveOptions,
  Figure,
  LatestOptions,
  Page,
  PageOptions,
  Range,
  State,
} from './read-series.ts'
export type { Clock, RetryOptions } from './retrying.ts'
export type { RejectedPoint, SendOptions, Sent } from './send-points.ts'
export type { AnswerState, PendingSetpoint, SetpointAnswer, TakeOptions } from './setpoints.ts'
export type { Json } from '../lib/json.ts'
