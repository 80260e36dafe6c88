import { claimDifferences, type Claims, type FederationRule } from '../auth/token-rules.ts'
import { BY_HAND } from '../auth/github-actions.ts'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { renewableBearer, type Bearer } from './bearer.ts'
import type { Io } from '../shell/io.ts'
import { requestJson } from './json-request.ts'
import { renewalTime } from './token-request.ts'

/** The variables that GitHub and Forgejo set in a job with the permission `id-token: write`. */
export interface ActionsRequest {
  readonly requestUrl: string
  readonly requestToken: string
  /** The issuer as it appears in the tokens, for advice. */
  readonly issuer: string
}

/** Signs in with the job's own OpenID token, which has the platform as its audience. Nothing is stored. */
export function actionsBearer(url: string, request: ActionsRequest, io: Io): Bearer {
  const audience = url.replace(/\/$/, '')
  let claims: Claims = {}
  const obtain = async () => {
    const token = await actionsToken(audience, request, io)
    claims = claimsIn(token)
    return { token, refreshToken: null, renewAt: endOf(claims, io.now()) }
  }
  return renewableBearer(obtain, io.now, {
    refused: `this needs an ACTIVATED OpenID delegated authentication method with the issuer ${request.issuer} and the clientId ${audience}`,
    forbidden: 'the fitting rule of the authentication method limits this job; pull requests only plan',
    explain: (details) => misfitText(details, claims),
  })
}

async function actionsToken(audience: string, { requestUrl, requestToken }: ActionsRequest, io: Io): Promise<string> {
  const address = new URL(requestUrl)
  address.searchParams.set('audience', audience)
  const headers = { authorization: `Bearer ${requestToken}` }
  const { body, response } = await requestJson(address, address.origin, io, { headers })
  const token = body['value']
  if (typeof token === 'string') return token
  throw new HoldfastError(
    'UNAUTHENTICATED',
    `GitHub gives this job no OpenID token (status ${response.status}); check its permission "id-token: write"`,
  )
}

/** Reads the claims without checking them; the platform decides whether the token is valid. */
function claimsIn(token: string): Claims {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return isObject(claims) ? claims : {}
  } catch {
    return {}
  }
}

/** Returns the time to renew a token, computed from its lifetime. */
function endOf({ exp, iat }: Claims, now: number): number | null {
  return typeof exp !== 'number' || typeof iat !== 'number' ? null : renewalTime(now, exp - iat)
}

/** Explains which claims of the job differ from the rule that fits best; null if the platform names no rule. */
function misfitText(details: readonly unknown[], claims: Claims): string | null {
  const rules = details.flatMap((detail) => (isObject(detail) && Array.isArray(detail['rules']) ? detail['rules'] : []))
  const [nearest] = rules
    .filter(isRule)
    .map(({ name, claims: wanted }) => ({ name, wanted, differences: claimDifferences(wanted, claims) }))
    .filter(({ differences }) => differences.length > 0)
    .toSorted((one, other) => one.differences.length - other.differences.length)
  if (nearest === undefined) return null
  const { name, wanted, differences } = nearest
  return `the platform does not let this job do it, by the rule ${JSON.stringify(name)} of its authentication method: ${differences.join('; ')}${isStoppedByHand(wanted, claims) ? `. ${ALLOW_BY_HAND}` : ''}`
}

function isStoppedByHand({ event_name: event = BY_HAND }: FederationRule['claims'], claims: Claims): boolean {
  return claims['event_name'] === BY_HAND && ![event].flat().includes(BY_HAND)
}

const ALLOW_BY_HAND =
  'Runs that somebody starts by hand need the consent of an administrator, once the environment has reviewers: holdfast trust github … --runs-by-hand, or runsByHand: true in the githubActions of the method'

function isRule(rule: unknown): rule is Pick<FederationRule, 'name' | 'claims'> {
  return isObject(rule) && typeof rule['name'] === 'string' && isObject(rule['claims'])
}
