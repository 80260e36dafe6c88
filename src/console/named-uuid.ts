import { HoldfastError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Visit } from './page.ts'

/** The uuid in the address. A malformed uuid is treated like one that does not exist. */
export function namedUuid({ param }: Visit, what: string, name = 'uuid'): string {
  const uuid = param(name).toLowerCase()
  if (isUuid(uuid)) return uuid
  throw new HoldfastError('NOT_FOUND', `there is no ${what} ${param(name)}`)
}
