import { RECORD_TYPES } from '../records/registry.ts'
import type { SecretFields } from './read/literal-secrets.ts'

/** For each record type with a secret, the field that holds it. */
export const SECRET_FIELDS: SecretFields = new Map(
  RECORD_TYPES.flatMap(({ name, secret }) => (secret === undefined ? [] : [[name, secret] as const])),
)
