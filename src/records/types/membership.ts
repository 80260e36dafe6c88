import { isObject } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'

/** The alias of the organization that a user belongs to; null where there is none. */
export function organizationOf(body: RecordBody): string | null {
  const organization = body['organization']
  const alias = isObject(organization) ? organization['alias'] : null
  return typeof alias === 'string' ? alias : null
}
