import { CHARACTERISTIC_STATEMENTS } from './characteristic-statements.ts'
import { DOCUMENT_STATEMENTS } from './document-statements.ts'
import { ENDPOINT_STATEMENTS } from './endpoint-statements.ts'
import { FIELD_STATEMENTS } from './field-statements.ts'
import { PEOPLE_STATEMENTS } from './people-statements.ts'
import { VALUE_STATEMENTS } from './value-statements.ts'
import { SIGN_IN_STATEMENTS } from './sign-in-statements.ts'
import type { Statement } from './statement.ts'

/** The specification, sentence by sentence. */
export const STATEMENTS: readonly Statement[] = [
  ...DOCUMENT_STATEMENTS,
  ...PEOPLE_STATEMENTS,
  ...CHARACTERISTIC_STATEMENTS,
  ...FIELD_STATEMENTS,
  ...ENDPOINT_STATEMENTS,
  ...VALUE_STATEMENTS,
  ...SIGN_IN_STATEMENTS,
]
