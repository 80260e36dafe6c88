import { GraphQLError, type ExecutionResult } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { textLength } from '../../../lib/text-length.ts'

/** The usual limit of one message. */
export const PART = { items: 1_000, text: 1_000_000 }

/**
 * The most characters of all texts in one message of a stream. It is one string, of which V8 allows 2^29 characters, and JSON
 * may write six for one.
 */
const MOST_TEXT = 67_108_864

/** The error in place of a message that is too long to be one, as where each of 400 aliases stands for the same long text. */
export function refusalOfLong({ data }: ExecutionResult): ExecutionResult | null {
  if (textLength(data, MOST_TEXT) <= MOST_TEXT) return null
  const message = `a message of this stream would have more than ${MOST_TEXT.toLocaleString('en-US')} characters; ask for fewer fields, and for each of them once`
  return { errors: [new GraphQLError(message, { originalError: new HoldfastError('LIMIT_EXCEEDED', message) })] }
}
