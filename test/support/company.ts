import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, type JWTPayload } from 'jose'

// The OpenID provider of a company, over HTTP: only its keys and the tokens that it signs.

export const AUDIENCE = 'holdfast-at-the-company'

export interface Company {
  readonly issuer: string
  /** Signs a token of a person there. `claims` override its usual claims. */
  sign(claims?: JWTPayload): Promise<string>
  /** Signs a token with a weak key. */
  signWeakly(claims?: JWTPayload): string
  /** The ID token that the token endpoint returns from now on, for any code. */
  giveOut(idToken: string): void
  /** The number of requests so far. */
  asked(): number
  close(): void
}

export async function startCompany(now: () => Date = () => new Date()): Promise<Company> {
  const strong = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const keys = [publicJwk(strong.publicKey, 'strong'), publicJwk(weak.publicKey, 'weak')]
  const server = createServer(({ url }, response) => {
    asked++
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers()[url ?? ''] ?? description(issuer)))
  })
  let idToken = ''
  let asked = 0
  const answers = (): { readonly [path: string]: object } => ({
    '/keys': { keys },
    '/token': { access_token: 'unused', token_type: 'Bearer', id_token: idToken },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const claimsOf = (claims: JWTPayload): JWTPayload => {
    const iat = Math.floor(now().getTime() / 1_000)
    return { iss: issuer, aud: AUDIENCE, sub: 'employee-7', iat, exp: iat + 600, ...claims }
  }
  return {
    issuer,
    sign: (claims = {}) =>
      new SignJWT(claimsOf(claims)).setProtectedHeader({ alg: 'RS256', kid: 'strong' }).sign(strong.privateKey),
    signWeakly: (claims = {}) => signByHand(claimsOf(claims), weak.privateKey),
    giveOut: (next) => {
      idToken = next
    },
    asked: () => asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function description(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

function publicJwk(key: KeyObject, kid: string): object {
  return { ...key.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The library refuses such a key. */
function signByHand(claims: JWTPayload, key: KeyObject): string {
  const text = `${part({ alg: 'RS256', kid: 'weak' })}.${part(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}
