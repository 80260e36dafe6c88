import type { SecretFields } from '../../documents/read/load.ts'
import { RECORD_TYPES } from '../../records/registry.ts'

/** The field that holds the secret, of each record type that has one. */
export const SECRET_FIELDS: SecretFields = new Map(
  RECORD_TYPES.flatMap(({ name, secret }) => (secret === undefined ? [] : [[name, secret] as const])),
)
