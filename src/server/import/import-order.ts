import { isDigest, type Digest } from '../../lib/digest.ts'
import { badInput } from '../../lib/errors.ts'
import { isUuid } from '../../lib/uuid.ts'
import { parseAllow } from '../../plan/guards/parse-allow.ts'
import type { Acknowledgement } from '../../records/settings.ts'
import { acceptedType } from '../requests/accepted-type.ts'
import { parameter, query, type Parameter } from '../openapi/operation.ts'
import { HttpError } from '../requests/error-response.ts'
import { readMediaType } from '../requests/media-type.ts'

/** The parameters of a request to /rest/v1/import, in addition to its document. */
export interface ImportOrder {
  readonly form: 'json' | 'yaml'
  readonly answer: (typeof ANSWERS)[number]
  /** The digest of the plan to apply; null to show the plan only. */
  readonly apply: Digest | null
  readonly applyId: string | null
  readonly allowed: readonly Acknowledgement[]
}

export const DOCUMENT_TYPES = ['application/json', 'application/yaml'] as const
export const ANSWERS = ['application/json', 'text/plain', 'text/markdown'] as const

/** The query and the headers that a request may have. */
export const IMPORT_PARAMETERS: readonly Parameter[] = [
  query('apply', 'The digest of the plan to apply. Left out: nothing is changed.', {
    type: 'string',
    pattern: '^sha256:[0-9a-f]{64}$',
  }),
  query('allow', 'A guard to acknowledge, as `CODE:type/key` or `CODE:type`.', {
    type: 'array',
    items: { type: 'string' },
  }),
  parameter(
    'header',
    'Idempotency-Key',
    'A UUID for the apply. A repetition with the same UUID gets the first result.',
    { type: 'string', format: 'uuid' },
  ),
]

interface Headers {
  readonly contentType: string | undefined
  readonly accept: string | undefined
  readonly idempotencyKey: string | undefined
}

export function readImportOrder(search: URLSearchParams, headers: Headers): ImportOrder {
  const form = formOf(headers.contentType)
  const apply = readDigest(search.get('apply'))
  const applyId = headers.idempotencyKey === undefined ? null : readKey(headers.idempotencyKey)
  if (applyId !== null && apply === null)
    throw badInput('an Idempotency-Key is for an apply; a plan changes nothing, and may be asked for again')
  return {
    form,
    // The result of an apply is always JSON.
    answer: apply === null ? acceptedType(headers.accept, ANSWERS) : ANSWERS[0],
    apply,
    applyId,
    allowed: search.getAll('allow').map((text) => parseAllow(text, 'allow')),
  }
}

/**
 * Reads the media type. It accepts only types that browsers do not send to other sites without consent (CORS). Any
 * website could send a form or plain text.
 */
function formOf(header: string | undefined): ImportOrder['form'] {
  const { type, isUtf8 } = readMediaType(header)
  if (isUtf8 && type === 'application/json') return 'json'
  if (isUtf8 && type === 'application/yaml') return 'yaml'
  const message = `the document must be ${DOCUMENT_TYPES.join(' or ')}, in UTF-8`
  throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', message, {
    'accept-post': DOCUMENT_TYPES.join(', '),
  })
}

function readDigest(digest: string | null): Digest | null {
  if (digest === null || isDigest(digest)) return digest
  throw badInput('apply must be the whole digest of one plan: sha256: and 64 hexadecimal digits')
}

/** Reads the key. The header is a Structured Fields string in quotes, but most clients leave the quotes out. */
function readKey(header: string): string {
  const key = header.replace(/^"(.*)"$/, '$1').toLowerCase()
  if (isUuid(key)) return key
  throw badInput('the Idempotency-Key of an apply must be a UUID: it names the apply in the history')
}
