import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import type { Environment, Io } from './io.ts'
import { LostAnswerError } from './platform-error.ts'

/** For the PASSWORD grant (specification, section 5). */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
}

const CREDENTIAL_VARIABLES = {
  clientId: 'HOLDFAST_CLIENT_ID',
  clientSecret: 'HOLDFAST_CLIENT_SECRET',
  username: 'HOLDFAST_USERNAME',
  password: 'HOLDFAST_PASSWORD',
} as const satisfies { [field in keyof Credentials]: string }

/** The access token for a platform, from the first source of the contract's list (section 2) that is set. */
export async function signIn(url: string, io: Io): Promise<string> {
  const token = io.env['HOLDFAST_TOKEN']
  if (token) return token.trim()
  const credentials = credentialsIn(io.env)
  if (credentials !== null) return passwordToken(url, credentials, io)
  const { ACTIONS_ID_TOKEN_REQUEST_URL: requestUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken } = io.env
  if (requestUrl && requestToken) return actionsToken(url, requestUrl, requestToken, io)
  throw new HoldfastError(
    'UNAUTHENTICATED',
    `${url} needs a credential: set HOLDFAST_TOKEN, or ${Object.values(CREDENTIAL_VARIABLES).join(', ')}; in GitHub Actions give the job the permission "id-token: write"`,
  )
}

function credentialsIn(env: Environment): Credentials | null {
  const missing = Object.values(CREDENTIAL_VARIABLES).filter((name) => !env[name])
  if (missing.length === Object.keys(CREDENTIAL_VARIABLES).length) return null
  if (missing.length > 0) {
    throw new HoldfastError('UNAUTHENTICATED', `to sign in with a password ${missing.join(' and ')} must be set too`)
  }
  const value = (name: string) => env[name] ?? ''
  return {
    clientId: value(CREDENTIAL_VARIABLES.clientId),
    clientSecret: value(CREDENTIAL_VARIABLES.clientSecret),
    username: value(CREDENTIAL_VARIABLES.username),
    password: value(CREDENTIAL_VARIABLES.password),
  }
}

/** The client's credentials go into the form: a Basic header would have to be encoded first (RFC 6749 section 2.3.1). */
export async function passwordToken(url: string, credentials: Credentials, io: Io): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'password',
    username: credentials.username,
    password: credentials.password,
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  })
  const answer = await requestJson(new Request(new URL('authenticate/token', url), { method: 'POST', body }), url, io)
  if (typeof answer['access_token'] === 'string') return answer['access_token']
  const why = [answer['error'], answer['error_description']].filter((part) => typeof part === 'string').join(': ')
  const advice = `check ${Object.values(CREDENTIAL_VARIABLES).join(', ')}`
  throw new HoldfastError('UNAUTHENTICATED', `${url} refuses the sign-in${why === '' ? '' : ` (${why})`}; ${advice}`)
}

/** The job's own OpenID token for the platform as audience; nothing is stored anywhere. */
async function actionsToken(url: string, requestUrl: string, requestToken: string, io: Io): Promise<string> {
  const address = new URL(requestUrl)
  address.searchParams.set('audience', url.replace(/\/$/, ''))
  const headers = { authorization: `Bearer ${requestToken}` }
  const answer = await requestJson(new Request(address, { headers }), address.origin, io)
  if (typeof answer['value'] === 'string') return answer['value']
  throw new HoldfastError(
    'UNAUTHENTICATED',
    'GitHub gives this job no OpenID token; check its permission "id-token: write"',
  )
}

async function requestJson(request: Request, shown: string, io: Io): Promise<{ [key: string]: unknown }> {
  let response: Response
  try {
    response = await io.fetch(new Request(request, { redirect: 'manual', signal: io.signal }))
  } catch (error) {
    throw io.signal.aborted ? error : new LostAnswerError(shown, error)
  }
  const body: unknown = await response.json().catch(() => null)
  return isObject(body) ? body : {}
}
