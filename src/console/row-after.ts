import { HoldfastError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'

/** The uuid of the row after which the address says that a list goes on; null on its first page. */
export function rowAfter({ searchParams }: URL, name = 'after'): string | null {
  const after = searchParams.get(name)?.toLowerCase() ?? null
  if (after === null || isUuid(after)) return after
  throw new HoldfastError('BAD_USER_INPUT', `the list has no row that “${name}” in the address names; begin it anew`)
}
