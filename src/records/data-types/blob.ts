import { textRules } from '../values/text-rules.ts'
import { refuseType, type Violation } from '../values/violation.ts'
import { declareDataType } from './declaration.ts'

/** Base64 (RFC 4648, section 4) with padding, in the canonical spelling only. In MessagePack it is `bin`. */
export const BLOB = declareDataType({
  name: 'BLOB',
  kind: 'text',
  value: 'base64 with padding; bin in MessagePack',
  honours: [],
  boundary: null,
  rules: () => textRules(acceptBytes),
  clientType: () => ({ union: ['string'] }),
  example: () => 'aGVsbG8=',
  input: 'lines',
  hint: 'Bytes in base64.',
  shape: 'text',
})

function acceptBytes(value: unknown): string | Violation {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  }
  const isBase64 = typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value
  return isBase64 ? value : refuseType(value, 'base64 with padding (bin in MessagePack)')
}
