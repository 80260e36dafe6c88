import { SignJWT, exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import { ProviderKeys } from '../../src/platform/access/delegated/provider/provider-keys.ts'
import { UnreachableError, type GuardedFetch } from '../../src/platform/access/delegated/provider/guarded-fetch.ts'

// Other OpenID providers, as far as checking their tokens needs them: their keys, and a network that has only them.

export const AUDIENCE = 'holdfast-at-example'

export interface SigningOptions {
  readonly algorithm?: string
  readonly kid?: string
  readonly typ?: string
  /** The key to use instead of the issuer's own. */
  readonly key?: Parameters<SignJWT['sign']>[0]
}

export interface ForeignIssuer {
  readonly issuer: string
  readonly publicJwk: JWK
  readonly privateKey: CryptoKey
  /** A token with valid `sub`, `aud` and times, unless the claims say otherwise; undefined omits a claim. */
  sign(claims?: JWTPayload, options?: SigningOptions): Promise<string>
  /** Its discovery document; may be replaced. */
  description: object
  keySet: object
  isDown: boolean
}

export const KID = 'key-1'

export async function makeIssuer(issuer: string, now: () => Date = () => new Date()): Promise<ForeignIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const publicJwk = { ...(await exportJWK(publicKey)), kid: KID, use: 'sig', alg: 'RS256' }
  return {
    issuer,
    publicJwk,
    privateKey,
    description: { issuer, jwks_uri: `${issuer}/keys` },
    keySet: { keys: [publicJwk] },
    isDown: false,
    async sign(claims = {}, { algorithm = 'RS256', kid = KID, typ = 'JWT', key = privateKey } = {}) {
      const iat = Math.floor(now().getTime() / 1_000)
      const usual = { iss: issuer, sub: 'subject-1', aud: AUDIENCE, iat, exp: iat + 600 }
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: algorithm, kid, typ }).sign(key)
    },
  }
}

/** Answers for these issuers and notes the requests. */
export function networkOf(issuers: readonly ForeignIssuer[]): { fetch: GuardedFetch; readonly asked: string[] } {
  const asked: string[] = []
  const fetch: GuardedFetch = (url) => {
    const address = String(url)
    asked.push(address)
    const issuer = issuers.find((one) => address.startsWith(`${one.issuer}/`))
    if (issuer === undefined || issuer.isDown)
      return Promise.reject(new UnreachableError('no connection could be made'))
    return Promise.resolve(Response.json(address.endsWith('/keys') ? issuer.keySet : issuer.description))
  }
  return { fetch, asked }
}

/** The same domain, in a process that can reach only these issuers. */
export function withIssuers<Context extends AccessContext>(
  context: Context,
  issuers: readonly ForeignIssuer[],
): Context & { readonly asked: readonly string[] } {
  const { fetch, asked } = networkOf(issuers)
  const keys = new ProviderKeys(fetch, () => context.now())
  return { ...context, external: { fetch, keys, allowedOrigins: [] }, asked }
}
