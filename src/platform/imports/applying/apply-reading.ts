import type { DocumentReading } from '../../../documents/read/read-document.ts'
import type { Move } from '../../../records/settings.ts'
import type { ScopeMemory } from '../../../store/model/type-owners.ts'
import type { NewSecret } from '../../../store/model/secrets.ts'

/** What an apply makes live: an import document, or the records that a rollback restores. */
export interface ApplyReading extends DocumentReading {
  /** What the domain remembers afterwards, where the scope of the plan does not tell it. */
  readonly memoryAfter?: ScopeMemory
  /** Secrets to restore as they were stored. */
  readonly keptSecrets?: readonly NewSecret[]
  /** Moves in addition to those of the settings. */
  readonly moved?: readonly Move[]
}
