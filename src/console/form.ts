import type { Context } from 'hono'
import type { AppEnv } from '../server/app-env.ts'
import { readBody } from '../server/requests/read-body.ts'
import { HttpError } from '../server/requests/error-response.ts'
import { checkFields } from './address.ts'

/** What somebody has filled in. */
export interface Filled {
  /** Without spaces around it; empty where the field is absent. */
  text(field: string): string
  /** Exactly as it was written, for secrets. */
  exact(field: string): string
  /** All values of a field that may be chosen several times. */
  all(field: string): readonly string[]
  has(field: string): boolean
}

const LIMIT = { bytes: 1_048_576, what: 'a form of the console' }

export async function readFilled(request: Context<AppEnv>): Promise<Filled> {
  const type = request.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', 'the body must be a form that a browser sends')
  const fields = new URLSearchParams(Buffer.from(await readBody(request, LIMIT)).toString())
  checkFields(fields)
  return filledOf(fields)
}

export function filledOf(fields: URLSearchParams): Filled {
  return {
    // Browsers send the ends of lines in this form (HTML, section 4.10.22.7).
    text: (field) => (fields.get(field) ?? '').replaceAll('\r\n', '\n').trim(),
    exact: (field) => fields.get(field) ?? '',
    all: (field) => fields.getAll(field),
    has: (field) => fields.has(field),
  }
}

/** A form that nobody has filled in yet, or with what is stored. */
export function filledWith(values: { readonly [field: string]: string | readonly string[] }): Filled {
  return filledOf(
    new URLSearchParams(Object.entries(values).flatMap(([field, value]) => [value].flat().map((one) => [field, one]))),
  )
}

/** The lines of a field that lists something. */
export function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
