import type { DocumentReading } from '../../documents/read/read-document.ts'
import type { Move } from '../../records/settings.ts'
import type { ManagedTypes } from '../../store/domains.ts'
import type { NewSecret } from '../../store/model/secrets.ts'

/** What an apply makes live: an import document, or what a rollback brings back. */
export interface ApplyReading extends DocumentReading {
  /** What the domain is to manage afterwards, where the scope of the plan does not say it. */
  readonly managedAfter?: ManagedTypes
  /** Secrets to restore as they were stored. */
  readonly keptSecrets?: readonly NewSecret[]
  /** Moves beside those of the settings. */
  readonly moved?: readonly Move[]
}
