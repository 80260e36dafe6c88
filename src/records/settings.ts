import type { JsonObject } from '../lib/json.ts'
import type { RecordTypeName } from './record-type.ts'

/** Acknowledges a guard of a plan. Without `key`, it refers to the whole record type. */
export interface Acknowledgement {
  readonly code: string
  readonly type: RecordTypeName
  readonly key?: string
  /** The digest of the access diff that the guard `widens-access` reports. */
  readonly digest?: string
  readonly reason?: string
}

interface Protection {
  readonly type: RecordTypeName
  readonly key: string
}

export interface Move {
  readonly type: RecordTypeName
  readonly from: string
  readonly to: string
}

export const IMPOSSIBLE_MOVE = 'impossible-move'
export const MOVE_TO_ITSELF = 'both are the same key; correct one of them, or remove the entry'

export function leadsNowhere({ from, to }: Move): boolean {
  return from === to
}

/** The message about an entry of `moved`. */
export function moveText({ type, from, to }: Move, problem: string): string {
  return `moved ${type}: ${from} → ${to}: ${problem}`
}

/** The content of `holdfast.yaml`: decisions about changes, and the grants. It is not a part of the model. */
export interface Settings {
  readonly acknowledge: readonly Acknowledgement[]
  readonly protect: readonly Protection[]
  readonly moved: readonly Move[]
  /** The name of the models, if no token names their owner; left out for local models. */
  readonly owner?: string
  /** All grants of the domain; left out if grants are not managed. */
  readonly access?: readonly JsonObject[]
  /**
   * Whether the import only manages the types in its document. Other types stay unchanged. holdfast.yaml never sets it,
   * because its models contain everything that is managed.
   */
  readonly isPartial?: boolean
}

export const NO_SETTINGS: Settings = { acknowledge: [], protect: [], moved: [] }

export function withMoves(settings: Settings, moved: readonly Move[]): Settings {
  return moved.length === 0 ? settings : { ...settings, moved: [...settings.moved, ...moved] }
}
