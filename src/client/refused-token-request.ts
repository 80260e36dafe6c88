import { HoldfastError } from '../lib/errors.ts'
import { skewAdvice } from './clock.ts'
import type { JsonAnswer } from './json-request.ts'
import type { Answer } from '../shell/io.ts'
import { isBusy, strangeAnswer } from './strange-answer.ts'

/** The names of the settings that hold the credential, for messages. */
export interface CredentialNames {
  readonly client: string
  readonly user: string
}

/** The errors of RFC 6749, section 5.2, each with its meaning here and the remedy. */
const MEANINGS: { readonly [error: string]: (names: CredentialNames) => string } = {
  invalid_client: ({ client }) =>
    `the application consumer is unknown or not ACTIVATED, or its secret is another one; check ${client}`,
  invalid_grant: ({ user }) => `the user is unknown or not ACTIVATED, or the password is another one; check ${user}`,
  unauthorized_client: lacksGrantType,
  // oidc-provider answers this error in the same case.
  invalid_request: lacksGrantType,
  invalid_scope: ({ client }) => `the application consumer may not ask for these scopes; check its scopes (${client})`,
}

function lacksGrantType({ client }: CredentialNames): string {
  return `the application consumer may not sign users in by their password; add PASSWORD to its grantTypes, or check ${client}`
}

/** Explains why a token endpoint gave no token, and how to fix it. It never shows parts of the request. */
export function refusedTokenRequest(
  url: string,
  { response, body }: JsonAnswer,
  now: number,
  names: CredentialNames,
): HoldfastError {
  const { error, error_description: description } = body
  if (isBusy(response)) return new HoldfastError('UNAVAILABLE', `${url} signs nobody in now: ${waitAdvice(response)}`)
  if (typeof error !== 'string') return new HoldfastError('BAD_USER_INPUT', `${url} ${strangeAnswer(response)}`)
  const why = typeof description === 'string' ? `${error}: ${description}` : error
  const meaning = Object.hasOwn(MEANINGS, error) ? MEANINGS[error]?.(names) : undefined
  const advice = meaning ?? `check ${names.client}, ${names.user}`
  const clock = skewAdvice(response.headers.get('date'), now)
  return new HoldfastError('UNAUTHENTICATED', `${url} refuses the sign-in (${why}); ${advice}${clock}`)
}

function waitAdvice({ status, headers }: Answer): string {
  const seconds = headers.get('retry-after')
  const reason = status === 429 ? 'there were too many attempts' : `it is not able to answer (status ${status})`
  return `${reason}; try again ${seconds === null ? 'in a moment' : `in ${seconds} s`}`
}
