import type { JsonObject } from '../lib/json.ts'
import type { Summary } from '../plan/plan.ts'

export interface ApplyView {
  readonly uuid: string
  readonly recorded: boolean
  readonly at: Date
  readonly actor: string
  readonly planDigest: string
  readonly summary: Summary | JsonObject
  readonly origin: JsonObject
  readonly scope: readonly { readonly type: string; readonly state: string }[]
  readonly notManaged: readonly string[]
  readonly rollbackOf: string | null
}
