import type { Context } from 'hono'
import type { AppEnv } from '../server/app-env.ts'
import type { Hold } from '../server/requests/held-bytes.ts'
import { readBody } from '../server/requests/read-body.ts'
import { isObject } from '../lib/json.ts'
import { HttpError } from '../server/requests/error-response.ts'
import { checkFields } from './address.ts'

/** The values that a person entered. */
export interface Filled {
  /** The text without surrounding spaces; empty if the field is absent. */
  text(field: string): string
  /** The exact text, for secrets. */
  exact(field: string): string
  /** All values of a field with several choices. */
  all(field: string): readonly string[]
  has(field: string): boolean
  names(): readonly string[]
  /** The problem of a field; undefined if none is known. */
  problemOf(field: string): string | undefined
}

const LIMIT = { bytes: 1_048_576, what: 'a form of the console' }

export async function readFilled(request: Context<AppEnv>, hold: Hold): Promise<Filled> {
  const type = request.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', 'the body must be a form that a browser sends')
  const fields = new URLSearchParams(Buffer.from(await readBody(request, LIMIT, hold)).toString())
  checkFields(fields)
  return filledOf(fields)
}

export function filledOf(fields: URLSearchParams): Filled {
  return {
    // Browsers send line ends as CR LF (HTML, section 4.10.22.7).
    text: (field) => (fields.get(field) ?? '').replaceAll('\r\n', '\n').trim(),
    exact: (field) => fields.get(field) ?? '',
    all: (field) => fields.getAll(field),
    has: (field) => fields.has(field),
    names: () => [...fields.keys()],
    problemOf: () => undefined,
  }
}

/**
 * Adds the problems of a rejected request to the fields of the form. A detail names a field, points into the document
 * (`/applicationConsumers/0/redirectUris/1`) or into an input (`/input/name`), or is a sentence that begins with a
 * field (`issuer must be an https address`).
 */
export function withProblems(filled: Filled, details: readonly unknown[]): Filled {
  const problems = new Map(details.flatMap(problemIn))
  return { ...filled, problemOf: (field) => problems.get(field) }
}

function problemIn(detail: unknown): readonly (readonly [string, string])[] {
  if (typeof detail === 'string') return [[/^\w*/.exec(detail)?.[0] ?? '', detail]]
  if (!isObject(detail)) return []
  const { field, pointer, message = detail['detail'] } = detail
  if (typeof message !== 'string') return []
  if (typeof field === 'string') return [[field, message]]
  if (typeof pointer !== 'string') return []
  const [, root, first = '', third = first] = pointer.split('/')
  return [[root === 'input' ? first : third, message]]
}

/** An unsent form, empty or with the stored values. */
export function filledWith(values: { readonly [field: string]: string | readonly string[] }): Filled {
  return filledOf(
    new URLSearchParams(
      Object.entries(values).flatMap(([field, value]) => [value].flat().map((one): [string, string] => [field, one])),
    ),
  )
}

/** The lines of a field that contains a list. */
export function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
