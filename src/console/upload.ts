import type { Context } from 'hono'
import type { AppEnv } from '../server/app-env.ts'
import { checkText } from '../server/checked-arguments.ts'
import { HttpError } from '../server/requests/error-response.ts'
import type { Hold } from '../server/requests/held-bytes.ts'
import { boundaryOf, readMultipart, type Part } from '../server/requests/multipart.ts'
import { readBody, tooLarge } from '../server/requests/read-body.ts'
import { checkFields } from './address.ts'
import { filledOf, type Filled } from './form.ts'
import type { Files } from './page.ts'

export interface SentForm {
  readonly filled: Filled
  readonly files: Files
}

const MOST_PARTS = 100
/**
 * The maximum number of bytes of all text fields together. Larger texts are slow in browsers and would block other
 * requests.
 */
const MOST_TEXT_BYTES = 4_194_304

/** Reads a form with files. A file field that occurs twice counts as absent, as does one without a chosen file. */
export async function readUpload(request: Context<AppEnv>, bytes: number, hold: Hold): Promise<SentForm> {
  const read = await readBody(request, { bytes, what: 'a form with its files' }, hold)
  const body = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  const parts = partsOf(body, request.req.header('content-type') ?? '')
  const texts = parts.filter(({ fileName }) => fileName === null)
  if (texts.reduce((sum, part) => sum + part.bytes.length, 0) > MOST_TEXT_BYTES)
    throw tooLarge({
      bytes: MOST_TEXT_BYTES,
      what: 'the text in a form, which you can send as a file instead,',
    })
  const fields = new URLSearchParams(texts.map((part): [string, string] => [part.name, part.bytes.toString()]))
  checkFields(fields)
  return { filled: filledOf(fields), files: filesOf(parts.filter(({ fileName }) => fileName !== null)) }
}

function partsOf(body: Buffer, contentType: string): readonly Part[] {
  const boundary = boundaryOf(contentType)
  const read = boundary === null ? 'malformed' : readMultipart(body, boundary, MOST_PARTS)
  if (read === 'malformed')
    throw new HttpError('BAD_USER_INPUT', 400, 'Bad request', 'the form cannot be read; send it again')
  if (read === 'too many')
    throw new HttpError(
      'LIMIT_EXCEEDED',
      413,
      'Too large',
      `a form has at most ${MOST_PARTS} fields; this one has more`,
    )
  return read
}

function filesOf(parts: readonly Part[]): Files {
  const names = parts.map(({ name }) => name)
  const once = parts.filter(({ name }) => names.indexOf(name) === names.lastIndexOf(name))
  const files = new Map(
    once.map(({ name, fileName, bytes }) => [
      checkText(name, 'the name of a field'),
      { name: checkText(fileName ?? '', name), bytes },
    ]),
  )
  return (field) => {
    const file = files.get(field)
    return file === undefined || file.bytes.length === 0 ? undefined : file
  }
}
