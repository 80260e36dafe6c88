import type { Context } from 'hono'
import { HoldfastError } from '../lib/errors.ts'
import type { AppEnv } from '../server/app-env.ts'
import { checkListed, checkText } from '../server/checked-arguments.ts'

interface Addressed {
  readonly request: Context<AppEnv>
  readonly url: URL
}

/** Refuses what no text of the database can have, before any page or route looks for it. */
export function checkAddress({ request, url }: Addressed): void {
  if (Object.values(request.req.param()).some((part) => part.includes('\0')))
    throw new HoldfastError('NOT_FOUND', 'nothing has this address: it holds U+0000, which no name can have')
  checkFields(url.searchParams)
}

/** Checks the fields of a form or an address. Pages look for each field among all others, so their number is limited. */
export function checkFields(fields: URLSearchParams): void {
  for (const [name, value] of checkListed([...fields], 'the list of fields'))
    checkText(value, checkText(name, 'the name of a field'))
}
