import { HttpError } from '../requests/error-response.ts'
import { readBody } from '../requests/read-body.ts'
import type { RequestContext } from './login-ports.ts'

export type Form = (field: string) => string | undefined

const LIMIT = { bytes: 16_384, what: 'a form of the login UI' }

/** Reads a form. A field that occurs twice counts as absent. */
export async function readForm(request: RequestContext): Promise<Form> {
  const type = request.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', 'the body must be a form that a browser sends')
  const fields = new URLSearchParams(Buffer.from(await readBody(request, LIMIT)).toString())
  return (field) => (fields.getAll(field).length === 1 ? (fields.get(field) ?? undefined) : undefined)
}
