import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'

/** Describes the errors of a single record without mentioning an import document. The findings do not change. */
export function asRefusedRecord(error: unknown, type: RecordTypeName): unknown {
  if (!(error instanceof HoldfastError) || error.code !== 'BAD_USER_INPUT') return error
  const messages = error.details.filter(isError).map(({ message }) => message)
  const [first, ...others] = messages
  if (first === undefined) return error
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  const message = `the ${recordType(type).definition} is not valid, and nothing was changed: ${first}${more}`
  return new HoldfastError(error.code, message, { details: error.details, cause: error })
}

function isError(detail: unknown): detail is { readonly message: string } {
  return isObject(detail) && detail['severity'] === 'error' && typeof detail['message'] === 'string'
}
