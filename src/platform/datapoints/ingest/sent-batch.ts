import type { Reach } from '../../systems/reach.ts'
import type { BatchError } from './batch-error.ts'
import type { JsonBody } from './check-familiar-batch.ts'

export interface IngestContext extends Reach {
  readonly domainId: number
  /** The sender, since each client has its own keys of batches. */
  readonly actor: string
  /** The means to check the sender's rights again; left out if the rights cannot be revoked. */
  readonly access?: IngestAccess
}

/** The facts needed to check again whether the sender may send. */
interface IngestAccess {
  /** The access version that was known before the sender was looked up; null if none was known. */
  readonly version: number | null
  /** Looks the sender up again. It fails if the sender may no longer send. */
  again(): Promise<IngestContext>
}

export interface IngestOptions {
  /** Stores the valid elements even if other elements are wrong. */
  readonly lenient?: boolean
  /** Refuses a batch in which one point replaces another. */
  readonly strict?: boolean
  /** The JSON text of the elements, if it is known. Most batches are read directly from it. */
  readonly json?: JsonBody
  /** The key of a batch. A batch with a key is stored only once, even if it is sent again. */
  readonly idempotency?: Idempotency
}

export interface Idempotency {
  readonly key: string
  readonly digest: Uint8Array
}

export interface IngestResult {
  readonly stored: number
  /** The number of datapoints that a later one in the same batch, with the same series and time, replaced. */
  readonly overwritten?: number
  /** A cursor, opaque to clients. A reader that passes it sees what was stored. */
  readonly cursor: string
  /** The first of `errorCount` errors. */
  readonly errors: readonly BatchError[]
  readonly errorCount: number
}

/** The access version by which the sender was looked up; null if it does not matter. Versions are never negative. */
export function accessVersionOf({ access }: IngestContext): number | null {
  return access === undefined ? null : (access.version ?? -1)
}

/** The sender with its present rights. It fails if the sender may no longer send. */
export async function lookedUpAgain(context: IngestContext): Promise<IngestContext> {
  return (await context.access?.again()) ?? context
}
