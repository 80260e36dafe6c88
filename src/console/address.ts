import type { Context } from 'hono'
import { HoldfastError } from '../lib/errors.ts'
import type { AppEnv } from '../server/app-env.ts'
import { checkListed, checkText } from '../server/checked-arguments.ts'

interface Addressed {
  readonly request: Context<AppEnv>
  readonly url: URL
}

/** Rejects texts that PostgreSQL cannot store, before any page or route searches for them. */
export function checkAddress({ request, url }: Addressed): void {
  if (Object.values(request.req.param()).some((part) => part.includes('\0')))
    throw new HoldfastError('NOT_FOUND', 'nothing has this address: it holds U+0000, which no name can have')
  checkFields(url.searchParams)
}

/** Checks the number of fields of a form or an address. It is limited because pages search all fields for each one. */
export function checkFields(fields: URLSearchParams): void {
  for (const [name, value] of checkListed([...fields], 'the list of fields'))
    checkText(value, checkText(name, 'the name of a field'))
}
