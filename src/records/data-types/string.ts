import { textRules } from '../values/text-rules.ts'
import { refuseType, type Violation } from '../values/violation.ts'
import { declareDataType } from './declaration.ts'

export const STRING = declareDataType({
  name: 'STRING',
  kind: 'text',
  value: 'a string',
  honours: [],
  boundary: null,
  rules: () => textRules(acceptString),
  clientType: () => ({ union: ['string'] }),
  example: () => 'hello',
  input: 'text',
  shape: 'text',
})

/** Accepts any text that PostgreSQL stores unchanged, including an empty one. */
function acceptString(value: unknown): string | Violation {
  if (typeof value !== 'string') return refuseType(value, 'a string')
  if (value.includes('\0')) return { code: 'wrong-type', detail: 'the text has the character U+0000; remove it' }
  // PGlite removes a leading byte order mark when it reads.
  if (value.startsWith('\ufeff'))
    return { code: 'wrong-type', detail: 'the text begins with U+FEFF, a byte order mark; remove it' }
  if (value.isWellFormed()) return value
  return { code: 'wrong-type', detail: 'the text has half of a surrogate pair, which is no character; remove it' }
}
