import type { ConnectOptions } from './connection.ts'
import { Holdfast } from './holdfast.ts'
import type { AnyModel, ModelTypes } from './model.ts'

/** Connects to a platform. It sends nothing yet. `M` is the type that `holdfast types` writes for a data model. */
export function connect<M extends ModelTypes = AnyModel>(options: ConnectOptions): Holdfast<M> {
  return new Holdfast<M>(options)
}

export { ApiError } from './api-error.ts'
export type * from './component.ts'
export type * from './connection.ts'
export type * from './follow.ts'
export type * from './holdfast.ts'
export type * from './model.ts'
export type * from './read-series.ts'
export type * from './retrying.ts'
export type * from './send-points.ts'
export type * from './setpoints.ts'
export type { Json } from '../lib/json.ts'
