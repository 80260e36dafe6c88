import { HoldfastError } from '../lib/errors.ts'
import { checkText } from '../server/checked-arguments.ts'
import type { Visit } from './page.ts'

/** Refuses what no text of the database can have, before any page or route looks for it. */
export function checkAddress({ request, url }: Pick<Visit, 'request' | 'url'>): void {
  if (Object.values(request.req.param()).some((part) => part.includes('\0')))
    throw new HoldfastError('NOT_FOUND', 'nothing has this address: it holds U+0000, which no name can have')
  checkFields(url.searchParams)
}

export function checkFields(fields: URLSearchParams): void {
  for (const [name, value] of fields) checkText(value, checkText(name, 'the name of a field'))
}
