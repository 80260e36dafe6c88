import type { Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { SCOPES } from '../../auth/scopes.ts'
import type { AppEnv } from '../app-env.ts'
import { issuerFor, issuerOf } from '../oidc/issuer.ts'
import type { Platform } from '../platform.ts'
import type { Reply } from '../requests/reply.ts'

// Tells clients where to get a token for the API (RFC 9728).

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** The paths that need a token. */
const PROTECTED = /^\/(?:graphql$|rest\/)/

/**
 * Answers with the metadata of the API, and also of each of its paths: a client compares `resource` with the address
 * that refused it (RFC 9728, section 3.3).
 */
export function protectedResourceRoute(app: Hono<AppEnv>, platform: () => Platform): void {
  const answer = (context: Context<AppEnv>, next: () => Promise<void>) => {
    const path = new URL(context.req.url).pathname.slice(RESOURCE_METADATA.length)
    return path === '' || PROTECTED.test(path) ? context.json(metadata(context, path)) : next()
  }
  const metadata = (context: Context<AppEnv>, path: string) => {
    const issuer = issuerFor(context, platform())
    return {
      resource: issuer + path,
      resource_name: context.get('domain').name,
      authorization_servers: [issuer],
      scopes_supported: Object.keys(SCOPES),
      bearer_methods_supported: ['header'],
    }
  }
  const everywhere = `${RESOURCE_METADATA}/*`
  app.use(everywhere, cors({ origin: '*', allowMethods: ['GET'] }))
  for (const path of [RESOURCE_METADATA, everywhere]) app.get(path, answer)
}

/** The request that an answer refuses. */
interface Refused {
  readonly domain: AppEnv['Variables']['domain'] | undefined
  readonly host: string
  /** The path as the client sent it. The router decodes paths, and a header may not contain all characters. */
  readonly path: string
}

/** Adds the address of the metadata to the challenge of an answer (RFC 9728, section 5.1), if there is one. */
export function withMetadata(reply: Reply, platform: () => Platform, { domain, host, path }: Refused): Reply {
  const challenge = reply.headers['www-authenticate']
  if (challenge === undefined || domain === undefined) return reply
  const address = `${issuerOf(platform().baseUrl, domain, host)}${RESOURCE_METADATA}${path}`
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': `${challenge}, resource_metadata="${address}"` } }
}
