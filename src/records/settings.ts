import type { JsonObject } from '../lib/json.ts'
import type { RecordTypeName } from './record-type.ts'

/** The guards of a plan that somebody can acknowledge; `key` absent: the scope row of the type. */
export interface Acknowledgement {
  readonly code: string
  readonly type: RecordTypeName
  readonly key?: string
  readonly reason?: string
}

export interface Protection {
  readonly type: RecordTypeName
  readonly key: string
}

export interface Move {
  readonly type: RecordTypeName
  readonly from: string
  readonly to: string
}

/** What `holdfast.yaml` says beside the models: decisions about changes, and who may do what; not part of the model. */
export interface Settings {
  readonly acknowledge: readonly Acknowledgement[]
  readonly protect: readonly Protection[]
  readonly moved: readonly Move[]
  /** All grants of the domain; left out: they are not managed. */
  readonly access?: readonly JsonObject[]
  /**
   * The import is only of what its document has: a type that it does not have is as it was, managed or not. Never said by
   * holdfast.yaml: the models beside it are all that is managed.
   */
  readonly isPartial?: boolean
}

export const NO_SETTINGS: Settings = { acknowledge: [], protect: [], moved: [] }

export function withMoves(settings: Settings, moved: readonly Move[]): Settings {
  return moved.length === 0 ? settings : { ...settings, moved: [...settings.moved, ...moved] }
}
