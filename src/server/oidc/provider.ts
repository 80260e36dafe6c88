import { LRUCache } from 'lru-cache'
import { errors, Provider } from 'oidc-provider'
import type { Database } from '../../db/sql.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { signingKeys, type SigningKeys } from '../../platform/access/keys/signing-keys.ts'
import { answerFailures } from './answers/answer-failures.ts'
import { prepareAuthorization } from './authorization-request.ts'
import { TOKEN_EXCHANGE } from './clients/clients.ts'
import { guardedClientSecret } from './clients/client-secret-guard.ts'
import { configurationFor } from './configuration.ts'
import { advertiseWhatWorks } from './discovery.ts'
import { listenForFailures } from './answers/failures.ts'
import { introspectPresent } from './introspection.ts'
import { PASSWORD_PARAMETERS, passwordGrant } from './grants/password.ts'
import { TOKEN_EXCHANGE_PARAMETERS, tokenExchangeGrant } from './grants/token-exchange.ts'
import { answerRevocationInJson } from './revocation.ts'
import { markWhatPersists } from './sign-out.ts'

/**
 * A provider costs some 60 kB and less than a millisecond. A domain has one, and another one for each address that requests name: see `issuerOf`.
 */
const MOST_PROVIDERS = 500

/** Of each open database: a process has one, tests have many. */
const caches = new WeakMap<Database, LRUCache<string, Provider>>()

/** The OpenID provider of a domain under one of its addresses, with the keys that it has now. */
export async function providerOf(access: AccessContext, issuer: string): Promise<Provider> {
  const keys = await signingKeys(access)
  const cache = cacheOf(access.database)
  const name = [access.domain.uuid, issuer, keys.version].join('\n')
  const known = cache.get(name)
  if (known !== undefined) return known
  const provider = makeProvider(access, issuer, keys)
  cache.set(name, provider)
  return provider
}

function cacheOf(database: Database): LRUCache<string, Provider> {
  const known = caches.get(database)
  if (known !== undefined) return known
  const cache = new LRUCache<string, Provider>({ max: MOST_PROVIDERS })
  caches.set(database, cache)
  return cache
}

function makeProvider(access: AccessContext, issuer: string, keys: SigningKeys): Provider {
  const provider = new Provider(issuer, configurationFor(access, issuer, keys))
  provider.registerGrantType('password', passwordGrant(access), PASSWORD_PARAMETERS)
  provider.registerGrantType(TOKEN_EXCHANGE, tokenExchangeGrant(access), TOKEN_EXCHANGE_PARAMETERS)
  provider.use(answerFailures)
  provider.use(prepareAuthorization(access))
  provider.use(answerRevocationInJson)
  provider.use(introspectPresent(access))
  provider.use(advertiseWhatWorks(access))
  provider.on('authorization.success', markWhatPersists)
  listenForFailures(provider)
  speakAs(provider, issuer)
  takeTokensFromHeaderOnly(provider)
  adaptClients(provider, access)
  return provider
}

function adaptClients({ Client }: Provider, access: AccessContext): void {
  Client.prototype.compareClientSecret = function (secret: string) {
    return guardedClientSecret(access, this.clientId, secret)
  }
  // It would want other kinds of applications for other schemes, and then compare less exactly: see clients.ts.
  const { Schema } = Client as unknown as { readonly Schema: { readonly prototype: { redirectUris(): void } } }
  Schema.prototype.redirectUris = () => undefined
}

/** Every address that an answer holds is the issuer's, whatever host or protocol the request claims. */
function speakAs({ request }: Provider, issuer: string): void {
  const { protocol, host, hostname, origin } = new URL(issuer)
  Object.defineProperties(request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    hostname: { get: () => hostname },
    origin: { get: () => origin },
    href: {
      get(this: { readonly originalUrl: string }) {
        return origin + this.originalUrl
      },
    },
  })
}

/** RFC 6750, section 2.2, allows it in a form; but forms get logged and sent on, and nobody needs it. */
function takeTokensFromHeaderOnly({ OIDCContext }: Provider): void {
  const original = OIDCContext.prototype.getAccessToken
  OIDCContext.prototype.getAccessToken = function (options) {
    if (this.body?.['access_token'] !== undefined)
      throw new errors.InvalidRequest('access tokens are only taken from the Authorization header')
    return original.call(this, options)
  }
}
