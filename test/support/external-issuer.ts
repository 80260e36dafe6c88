import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'

// Another OpenID provider, such as that of a company: oidc-provider again, with a page that asks for the person.

export interface ExternalPerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export interface ExternalIssuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** All requests, as `GET /path`. */
  readonly requests: readonly string[]
  /** Stops or resumes answering. */
  silence(isSilent: boolean): void
  /** From now on it publishes a wrong key under the name of the key that it signs with. */
  publishAnotherKey(): void
  close(): Promise<void>
}

export interface ExternalIssuerOptions {
  /** The redirect URIs that it accepts, with the paths below them: the redirect URI of a method contains its uuid. */
  readonly redirectUris: readonly string[]
  readonly people: readonly ExternalPerson[]
  /** Settings that replace its true names and numbers in answers. */
  readonly change?: Configuration
}

/**
 * Starts an issuer. It listens before it is made, because its issuer is its address. `redirectUris` may be needed
 * later, so the options are a function.
 */
export async function startExternalIssuer(options: () => ExternalIssuerOptions): Promise<ExternalIssuer> {
  const requests: string[] = []
  let isSilent = false
  let otherKeys: object | undefined
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (isSilent) return request.socket.destroy()
    if (otherKeys !== undefined && request.url === '/jwks') return response.end(JSON.stringify(otherKeys))
    provider ??= makeProvider(issuer, options)
    void answer(provider, options().people, request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    requests,
    silence: (value) => {
      isSilent = value
    },
    publishAnotherKey() {
      const { kty, n, e } = makeKey()
      otherKeys = { keys: [{ kty, n, e, ...KEY_NAMES }] }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const CLIENT_ID = 'holdfast-at-the-company'
const CLIENT_SECRET = 'between-the-two-of-us-0123456789'

const HOUR = 3600
const KEY_NAMES = { kid: 'company', use: 'sig', alg: 'RS256' }

function makeKey(): JsonWebKey {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
}

const unused = () => Promise.resolve(undefined)

/** The store of its data. oidc-provider warns about its own one. */
function memory(): (kind: string) => Adapter {
  const all = new Map<string, AdapterPayload>()
  return (kind) => ({
    upsert: async (id, payload) => void all.set(`${kind} ${id}`, payload),
    find: (id) => Promise.resolve(all.get(`${kind} ${id}`)),
    findByUid: (uid) => Promise.resolve([...all.values()].find((payload) => payload.uid === uid)),
    findByUserCode: unused,
    consume: async (id) => void (all.get(`${kind} ${id}`)!.consumed = 1),
    destroy: async (id) => void all.delete(`${kind} ${id}`),
    revokeByGrantId: unused,
  })
}

function makeProvider(issuer: string, options: () => ExternalIssuerOptions): Provider {
  const { redirectUris, people, change } = options()
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [...redirectUris] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, sub) => {
      const person = people.find((one) => one.sub === sub)
      return person && { accountId: sub, claims: () => ({ ...person }) }
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/who/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    adapter: memory(),
    jwks: { keys: [{ ...makeKey(), ...KEY_NAMES }] },
    ttl: { Interaction: HOUR, Session: HOUR, Grant: HOUR, AccessToken: HOUR, AuthorizationCode: HOUR, IdToken: HOUR },
    cookies: { keys: ['for this test'] },
    ...change,
  })
  provider.Client.prototype.redirectUriAllowed = (uri) =>
    options().redirectUris.some((allowed) => uri === allowed || uri.startsWith(`${allowed}/`))
  provider.on('server_error', (_, error) => console.error(error))
  return provider
}

async function answer(
  provider: Provider,
  people: readonly ExternalPerson[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', provider.issuer)
  if (!pathname.startsWith('/who/')) return provider.callback()(request, response)
  const sub = searchParams.get('sub')
  if (sub !== null) return provider.interactionFinished(request, response, { login: { accountId: sub } })
  if (searchParams.has('refuse')) return provider.interactionFinished(request, response, { error: 'access_denied' })
  const choices = people.map((person) => `<a href="?sub=${person.sub}">I am ${person.sub}</a>`)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><html lang="en"><title>Company</title><link rel="icon" href="data:,"><h1>Company login</h1>
     ${choices.join(' ')} <a href="?refuse">Not me</a>`,
  )
}
