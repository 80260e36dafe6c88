import { HoldfastError } from '../../../lib/errors.ts'

/** Longer than a model is changed again and again by people, and shorter than senders wait for an answer. */
const PATIENCE_MS = 20_000

/** Gives what is called before something is done again because the model has changed. It fails in the end. */
export function patienceWithModel(): () => void {
  let since: number | null = null
  return () => {
    const now = performance.now()
    since ??= now
    if (now - since >= PATIENCE_MS) throw new HoldfastError('UNAVAILABLE', CHANGING)
  }
}

const CHANGING =
  'the model of this domain, or its rights, change too often; nothing of the batch was stored; try again in a moment'
