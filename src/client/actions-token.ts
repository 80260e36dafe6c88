import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { renewableBearer, type Bearer, type Grant } from './bearer.ts'
import type { Io } from '../shell/io.ts'
import { requestJson } from './json-request.ts'
import { renewalTime } from './token-request.ts'

/** The variables that GitHub sets in a job with the permission `id-token: write`, and Forgejo likewise. */
export interface ActionsRequest {
  readonly requestUrl: string
  readonly requestToken: string
  /** As the tokens name it, for advice. */
  readonly issuer: string
}

/** Signs in with the job's own OpenID token, which has the platform as its audience. Nothing is stored. */
export function actionsBearer(url: string, request: ActionsRequest, io: Io): Bearer {
  const audience = url.replace(/\/$/, '')
  return renewableBearer(() => actionsToken(audience, request, io), io.now, {
    refused: `this needs an ACTIVATED OpenID delegated authentication method with the issuer ${request.issuer} and the clientId ${audience}`,
    forbidden: 'the rule of the authentication method that fits this job says what it may do; pull requests only plan',
  })
}

async function actionsToken(audience: string, { requestUrl, requestToken }: ActionsRequest, io: Io): Promise<Grant> {
  const address = new URL(requestUrl)
  address.searchParams.set('audience', audience)
  const headers = { authorization: `Bearer ${requestToken}` }
  const { body, response } = await requestJson(new Request(address, { headers }), address.origin, io)
  const token = body['value']
  if (typeof token === 'string') return { token, refreshToken: null, renewAt: endOf(token, io.now()) }
  throw new HoldfastError(
    'UNAUTHENTICATED',
    `GitHub gives this job no OpenID token (status ${response.status}); check its permission "id-token: write"`,
  )
}

/** The time to renew a token. Only its age is read here; whether it is valid is decided by the platform. */
function endOf(token: string, now: number): number | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (!isObject(claims) || typeof claims['exp'] !== 'number' || typeof claims['iat'] !== 'number') return null
    return renewalTime(now, claims['exp'] - claims['iat'])
  } catch {
    return null
  }
}
