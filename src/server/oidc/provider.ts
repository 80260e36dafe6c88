import { LRUCache } from 'lru-cache'
import { Provider } from 'oidc-provider'
import type { Database } from '../../db/sql.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { signingKeys, type SigningKeys } from '../../platform/access/keys/signing-keys.ts'
import { answerFailures } from './pages.ts'
import { tellScopes } from './answers/token-answer.ts'
import { prepareAuthorization } from './authorization-request.ts'
import { TOKEN_EXCHANGE, delegatedMethods } from './clients/clients.ts'
import { adaptAuthentication } from './authentication-claims.ts'
import { adaptClients } from './clients/adapt-clients.ts'
import { configurationFor } from './configuration.ts'
import { listenForFailures } from './answers/failures.ts'
import { introspectPresent } from './introspection.ts'
import { PASSWORD_PARAMETERS, passwordGrant } from './grant-types/password.ts'
import { TOKEN_EXCHANGE_PARAMETERS, tokenExchangeGrant } from './grant-types/token-exchange.ts'
import { answerRevocationInJson, markWhatPersists } from './revocation.ts'
import type { Middleware } from 'koa'
import { isObject } from '../../lib/json.ts'
import { HoldfastError } from '../../lib/errors.ts'

/** A provider has about 60 kB and takes below a millisecond. A domain has one per address in use: see `issuerOf`. */
const MOST_PROVIDERS = 500

/** The providers of each open database. A process has one database, and tests have many. */
const caches = new WeakMap<Database, LRUCache<string, Provider>>()

/** Returns the OpenID provider of a domain for one of its addresses, with the present keys. */
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

/** Fails at the start if oidc-provider does not have what this platform needs, and not only when somebody signs in. */
export async function checkProvider(access: AccessContext): Promise<void> {
  makeProvider(access, 'http://localhost', await signingKeys(access))
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
  provider.use(refuseUnstorable)
  provider.use(prepareAuthorization(access))
  provider.use(answerRevocationInJson)
  provider.use(introspectPresent(access))
  provider.use(tellScopes(access))
  provider.use(advertiseWhatWorks(access))
  provider.on('authorization.success', markWhatPersists)
  listenForFailures(provider)
  // `mount` sets the address of a request, even if the request names another host or protocol.
  provider.proxy = true
  adaptClients(provider, access)
  adaptAuthentication(provider, access)
  return provider
}

/** OpenID Connect Discovery 1.0 and RFC 8414. */
const PATHS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

/**
 * Removes the token exchange from the discovery document if no other provider is trusted. Clients without a secret are
 * then removed, too, because all except the console only exchange tokens. The library would advertise everything that
 * it supports.
 */
function advertiseWhatWorks(access: AccessContext): Middleware {
  return async (context, next) => {
    await next()
    const { path, body } = context
    if (!PATHS.includes(path) || !isObject(body)) return
    const { grant_types_supported: grants, token_endpoint_auth_methods_supported: ways } = body
    if (!Array.isArray(grants) || !Array.isArray(ways) || (await delegatedMethods(access)).length > 0) return
    context.body = {
      ...body,
      grant_types_supported: without(grants, TOKEN_EXCHANGE),
      token_endpoint_auth_methods_supported: without(ways, 'none'),
    }
  }
}

function without(list: readonly unknown[], value: string): readonly unknown[] {
  return list.filter((one) => one !== value)
}

/**
 * Rejects a request with U+0000 in its address before anything reads it. The database cannot store such texts, and
 * parameters may not contain it (RFC 6749, appendix A).
 */
const refuseUnstorable: Middleware = (context, next) => {
  const isBad = [...new URLSearchParams(context.querystring)].flat().some((text) => text.includes('\0'))
  if (isBad) throw new HoldfastError('BAD_USER_INPUT', 'a parameter has the character U+0000; leave it out')
  return next()
}
