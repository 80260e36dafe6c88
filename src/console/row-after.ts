import { checkUuid } from '../server/checked-arguments.ts'

/** The uuid of the row after which the address says that a list goes on; null on its first page. */
export function rowAfter({ searchParams }: URL, name = 'after'): string | null {
  const after = searchParams.get(name)
  return after === null ? null : checkUuid(after, name)
}
