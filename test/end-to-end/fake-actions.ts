import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** GitHub as a job of Actions sees it, in the way of an Enterprise Server: it signs whatever the job is said to be. */
export interface FakeActions {
  readonly origin: string
  readonly issuer: string
  /** The variables of a job with the permission `id-token: write` and these claims. */
  job(claims: JWTPayload): { readonly [variable: string]: string }
  close(): Promise<void>
}

/** `path` is what the issuer has beside the address of the forge. */
export async function startFakeActions(path = '/_services/token'): Promise<FakeActions> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] }
  const jobs = new Map<string, JWTPayload>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    const job = jobs.get(request.headers.authorization ?? '')
    const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (pathname.endsWith('/openid-configuration')) return void answer({ issuer, jwks_uri: `${issuer}/keys` })
    if (pathname.endsWith('/keys')) return void answer(keys)
    if (job === undefined) return void response.writeHead(403).end()
    void new SignJWT({ ...job, sub: 'repo:whatever', jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer(issuer)
      .setAudience(searchParams.get('audience') ?? '')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
      .then((value) => answer({ value }))
  })
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${origin}${path}`
  return {
    origin,
    issuer,
    job(claims) {
      const token = crypto.randomUUID()
      jobs.set(`Bearer ${token}`, claims)
      return {
        GITHUB_ACTIONS: 'true',
        ACTIONS_ID_TOKEN_REQUEST_URL: `${origin}/job?api-version=2`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
