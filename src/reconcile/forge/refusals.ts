import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { reasonOf } from '../../client/platform-error.ts'
import type { Job } from './job.ts'

// These functions interpret the error answers of a forge.

/** The parts of a client's error that are used here. */
interface AnswerError extends Error {
  readonly status: number
  readonly response?: { readonly headers: { readonly [name: string]: string | undefined }; readonly data: unknown }
}

function isAnswerError(error: unknown): error is AnswerError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return isAnswerError(error) && statuses.includes(error.status)
}

/** Recognises by its words that GitHub rejects a text as too long, because there is no code for it. */
export function isTooLong(error: unknown): boolean {
  return isAnswerError(error) && error.status === 422 && /too long|maximum is/i.test(error.message)
}

const SHORTEST_WAIT = 1
/** In seconds. If the wait is longer, a job reports it instead of waiting. */
export const LONGEST_WAIT = 120
/** Seconds to wait if the forge rejects a request for its rate limit and gives no time. */
const USUAL_WAIT = 60

/** The seconds after which another attempt may succeed; null if it will not. */
export function waitBefore(error: unknown, now: number): number | null {
  if (!isAnswerError(error)) return null
  const headers = error.response?.headers ?? {}
  const after = Number(headers['retry-after'])
  if (error.status === 429 || error.status === 403) {
    if (after > 0) return after
    const reset = Number(headers['x-ratelimit-reset'])
    if (headers['x-ratelimit-remaining'] === '0' && reset > 0) return resetIn(reset, now)
    return error.status === 429 || /rate limit/i.test(error.message) ? USUAL_WAIT : null
  }
  return error.status >= 500 ? Math.max(SHORTEST_WAIT, after || 0) : null
}

function resetIn(reset: number, now: number): number {
  return Math.max(SHORTEST_WAIT, Math.ceil(reset - now / 1_000) + 1)
}

/** The sender of a request to a forge. `remedy` says what to do if the token of a person lacks permission. */
type Asker = Pick<Job, 'forge' | 'apiUrl'> & { readonly event?: Job['event']; readonly remedy?: string }

/** Describes an error and what to do about it. `permission` is what the job needs, e.g. `pull-requests: write`. */
export function troubleText(error: unknown, asker: Asker, permission: string, now: number): string {
  const { forge, apiUrl } = asker
  if (error instanceof HoldfastError) return error.message
  if (!isAnswerError(error)) return 'something unexpected happened; set HOLDFAST_DEBUG=1 to see where'
  if (error.response === undefined) return `no answer from ${forge} at ${apiUrl}: ${reasonOf(error.cause)}`
  const wait = waitBefore(error, now)
  if (error.status < 500 && wait !== null) return `${forge}'s rate limit is used up; it asks to wait for ${wait} s`
  if (error.status === 401)
    return `${forge} does not accept the token: has it expired, or does it belong to another server?`
  if (error.status === 403 || error.status === 404) return forbidden(error, asker, permission)
  return `${forge} answered ${error.status}: ${escapeUnseen(answerOf(error))}`
}

function forbidden(error: AnswerError, { forge, event, remedy }: Asker, permission: string): string {
  if (event?.kind === 'pull-request' && event.isFork && permission.endsWith(': write')) {
    return `the pull request comes from a fork, and ${forge} gives its jobs a token that can only read; the plan is in the summary of the run`
  }
  const wanted = error.response?.headers['x-accepted-github-permissions']
  const asked = wanted === undefined ? '' : ` (${forge} asks for ${escapeUnseen(wanted)})`
  const ofJob =
    forge === 'GitLab'
      ? 'the token in HOLDFAST_GITLAB_TOKEN needs the scope "api" and the role Reporter'
      : `add "${permission}" to the permissions of the job${asked}`
  return `${forge} answered ${error.status}: ${escapeUnseen(answerOf(error))}; ${remedy ?? ofJob}`
}

function answerOf({ response, message }: AnswerError): string {
  const data = response?.data
  const said = isObject(data) ? data['message'] : undefined
  // GitLab may send a list of errors.
  const text = Array.isArray(said) ? said.map(String).join('; ') : said
  return (typeof text === 'string' ? text : message).slice(0, 300)
}
