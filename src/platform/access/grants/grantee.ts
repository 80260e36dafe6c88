import { isObject } from '../../../lib/json.ts'
import type { RecordBody } from '../../../records/record-type.ts'

/** The alias of the organization that a user belongs to. */
export function organizationOf({ organization }: RecordBody): string | null {
  const alias = isObject(organization) ? organization['alias'] : null
  return typeof alias === 'string' ? alias : null
}
