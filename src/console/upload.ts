import type { Context } from 'hono'
import type { AppEnv } from '../server/app-env.ts'
import { HttpError } from '../server/requests/error-response.ts'
import { checkText } from '../server/checked-arguments.ts'
import { readBody } from '../server/requests/read-body.ts'
import { checkFields } from './address.ts'
import { filledOf, type Filled } from './form.ts'
import type { Files } from './page.ts'

export interface SentForm {
  readonly filled: Filled
  readonly files: Files
}

/** Reads a form with files. A file that occurs twice counts as absent, and so does one that was not chosen. */
export async function readUpload(request: Context<AppEnv>, bytes: number): Promise<SentForm> {
  const body = Buffer.from(await readBody(request, { bytes, what: 'a form with its files' }))
  const type = request.req.header('content-type') ?? ''
  const data = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new HttpError('BAD_USER_INPUT', 400, 'Bad request', 'the form cannot be read; send it again')
  })
  const files = new Map<string, { name: string; bytes: Uint8Array }>()
  for (const [field, value] of data) {
    if (typeof value === 'string') continue
    checkText(value.name, checkText(field, 'the name of a field'))
    if (value.size > 0 && data.getAll(field).length === 1)
      files.set(field, { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  const texts = new URLSearchParams(
    [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  checkFields(texts)
  return { filled: filledOf(texts), files: (field) => files.get(field) }
}
