import type { Reach } from '../../systems/reach.ts'
import type { BatchError } from './batch-error.ts'
import type { JsonBody } from './check-familiar-batch.ts'

export interface IngestContext extends Reach {
  readonly domainId: number
  /** The sender, since each client has its own keys of batches. */
  readonly actor: string
  /** How the sender's rights are checked again; left out for a sender whose rights cannot be taken away. */
  readonly access?: IngestAccess
}

/** The facts for checking again whether the sender may send. */
interface IngestAccess {
  /** The access version that was known before the sender was looked up; null if none was known. */
  readonly version: number | null
  /** Looks the sender up again. It fails where the sender may not send any more. */
  again(): Promise<IngestContext>
}

export interface IngestOptions {
  /** Stores the valid elements even where others are wrong. */
  readonly lenient?: boolean
  /** Refuses a batch in which one point replaces another. */
  readonly strict?: boolean
  /** The JSON text that the elements come from, where that is known. Most batches are read directly from it. */
  readonly json?: JsonBody
  /** The key of a batch, so that it is stored once even where it is sent again. */
  readonly idempotency?: Idempotency
}

export interface Idempotency {
  readonly key: string
  readonly digest: Uint8Array
}

export interface IngestResult {
  readonly stored: number
  /** The number of datapoints that were replaced by another one in the same batch with the same series and time. */
  readonly overwritten?: number
  /** A cursor, opaque to clients. A reader that passes it sees what was stored. */
  readonly cursor: string
  /** The first ones of `errorCount` errors. */
  readonly errors: readonly BatchError[]
  readonly errorCount: number
}

/** The access version by which the sender was looked up; null if it does not matter. No version that was drawn is negative. */
export function accessVersionOf({ access }: IngestContext): number | null {
  return access === undefined ? null : (access.version ?? -1)
}

/** The sender by its present rights. It fails where the sender may not send any more. */
export async function lookedUpAgain(context: IngestContext): Promise<IngestContext> {
  return (await context.access?.again()) ?? context
}
