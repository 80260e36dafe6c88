import { HoldfastError } from '../../lib/errors.ts'

/** Why somebody who comes from another provider is not let in, for them to read. */
export function refusal(reason: string, cause?: unknown): HoldfastError {
  const message = `the token of the other provider is not accepted: ${reason}`
  return new HoldfastError('UNAUTHENTICATED', message, cause === undefined ? {} : { cause })
}
