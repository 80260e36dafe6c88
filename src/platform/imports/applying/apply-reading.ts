import type { DocumentReading } from '../../../documents/read/read-document.ts'
import type { Move } from '../../../records/settings.ts'
import type { ScopeMemory } from '../../../store/model/type-owners.ts'
import type { NewSecret } from '../../../store/model/secrets.ts'

/** The document of an apply: an import document, or the records that a rollback restores. */
export interface ApplyReading extends DocumentReading {
  /** The memory of the domain after the apply, if the scope of the plan does not determine it. */
  readonly memoryAfter?: ScopeMemory
  /** Secrets to restore as they were stored. */
  readonly keptSecrets?: readonly NewSecret[]
  /** Moves of records, in addition to the moves in the settings. */
  readonly moved?: readonly Move[]
}
