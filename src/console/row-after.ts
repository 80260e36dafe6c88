import { HoldfastError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { isCursor } from '../store/cursors.ts'

/** The cursor in the address, after which the list continues; null on the first page. */
export function cursorAfter({ searchParams }: URL): string | null {
  const after = searchParams.get('after')
  if (after === null || isCursor(after)) return after
  throw noRow('after')
}

/**
 * The uuid of the row after which the list continues, from the address; null on the first page. Rows of such a list are
 * never deleted.
 */
export function rowAfter({ searchParams }: URL, name = 'after'): string | null {
  const after = searchParams.get(name)?.toLowerCase() ?? null
  if (after === null || isUuid(after)) return after
  throw noRow(name)
}

function noRow(name: string): HoldfastError {
  const message = `the address names the row “${name}”, which the list does not have; open the list again`
  return new HoldfastError('BAD_USER_INPUT', message)
}
