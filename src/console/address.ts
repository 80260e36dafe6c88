import type { Context } from 'hono'
import { HoldfastError } from '../lib/errors.ts'
import type { AppEnv } from '../server/app-env.ts'
import { checkText } from '../server/checked-arguments.ts'

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

export function checkFields(fields: URLSearchParams): void {
  for (const [name, value] of fields) checkText(value, checkText(name, 'the name of a field'))
}
