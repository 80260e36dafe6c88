import type { Json } from '../lib/json.ts'

/** The types of a data model, as `holdfast types` writes them. */
export interface ModelTypes {
  readonly componentModels: object
}

/** Stands for every model: each path is a text, and each value is JSON. */
export interface AnyModel {
  readonly componentModels: {
    readonly [model: string]: { readonly [path: string]: { readonly value: Json; readonly type: string } }
  }
}

type Models<M extends ModelTypes> = M extends { readonly componentModels: infer All } ? All : never

export type ModelCode<M extends ModelTypes> = keyof Models<M> & string

/** The paths of the components of a model, with their types. */
export type SupportOf<M extends ModelTypes, Code extends ModelCode<M>> = Models<M>[Code]

/** A path consists of the keys of a service and a characteristic, for example `room-control/room-temperature`. */
export type Path<Support> = keyof Support & string

export type ValueAt<Support, P extends keyof Support> = Support[P] extends { readonly value: infer Value }
  ? Value
  : never

/** The paths whose values can be set. */
export type SettingPath<Support> = {
  [P in Path<Support>]: Support[P] extends { readonly type: infer Type } ? ('SETTING' extends Type ? P : never) : never
}[Path<Support>]

/** RFC 3339, milliseconds since 1970, or a Date. Only a text can have microseconds. */
export type Time = string | number | Date

export interface Point<Value = Json> {
  readonly timestamp: string
  readonly value: Value
}

/** Names one characteristic of a component. `Value` is the type of its values. */
export interface SeriesName<Value = unknown> {
  readonly component: string
  readonly path: string
  /** Exists only as a type. */
  readonly value?: Value
}

/** A datapoint to be sent. */
export interface SentPoint {
  readonly component: string
  readonly path: string
  /** A value of the type of the characteristic; with MessagePack, a BLOB may be bytes. */
  readonly value: Json | Uint8Array
  /** Left out: the time of arrival. */
  readonly timestamp?: Time | undefined
}

/** Returns a time as GraphQL takes it; null if it is left out. */
export function timeText(time: Time | undefined): string | null {
  return time === undefined || typeof time === 'string' ? (time ?? null) : new Date(time).toISOString()
}
