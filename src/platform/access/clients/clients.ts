import { DEFAULT_SCOPES, isScope } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import type { Json } from '../../../lib/json.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { Secret } from '../../../records/secret.ts'
import { readDomain } from '../../../store/domains.ts'
import { findPrincipalByKey, type Principal } from '../../../store/access/principals.ts'
import type { AccessContext } from '../access-context.ts'
import type { Client, GrantType } from './client.ts'
import { statusOf } from '../accounts/status.ts'

export const CLIENT_TYPE = typeThatSignsIn('client')

/** `<slug>.<suffix>` (specification, section 2). The suffix is the beginning of the uuid. */
const IDENTIFIER = /^(.+)\.([0-9a-f]{8})$/

const SUFFIX = 8

export function identifierOf({ key, uuid }: { readonly key: string; readonly uuid: string }): string {
  return `${key}.${uuid.slice(0, SUFFIX)}`
}

/** The slug of the platform's own console, which no document can use. */
export const CONSOLE_SLUG = 'holdfast-console'

export function isConsole(identifier: string): boolean {
  return IDENTIFIER.exec(identifier)?.[1] === CONSOLE_SLUG
}

/** Finds a client in any status. */
export async function findClient(context: AccessContext, identifier: string): Promise<Client | null> {
  const principal = await findPrincipalOf(context, identifier)
  return principal === null ? null : toClient(principal)
}

/** Tells whether this is the secret of an ACTIVATED application consumer. */
export async function checkClientSecret(context: AccessContext, identifier: string, secret: string): Promise<boolean> {
  const principal = await findPrincipalOf(context, identifier)
  const isRight = context.secrets.checkClientSecret(new Secret(secret), principal?.hash ?? null)
  return isRight && principal !== null && statusOf(principal.body) === 'ACTIVATED'
}

/** Finds a client like `findClient`, within a transaction. */
export async function fetchClient(sql: Sql, domainId: number, identifier: string): Promise<Client | null> {
  const principal = await fetchPrincipalOf(sql, domainId, identifier)
  return principal && toClient(principal)
}

function findPrincipalOf({ database, domain }: AccessContext, identifier: string): Promise<Principal | null> {
  return readDomain(database, domain.id, (sql) => fetchPrincipalOf(sql, domain.id, identifier))
}

async function fetchPrincipalOf(sql: Sql, domainId: number, identifier: string): Promise<Principal | null> {
  const [, key] = IDENTIFIER.exec(identifier) ?? []
  if (key === undefined || key.includes('\0')) return null
  const principal = await findPrincipalByKey(sql, domainId, { type: CLIENT_TYPE.name, key })
  return principal !== null && identifierOf(principal) === identifier ? principal : null
}

export function toClient({ uuid, key, body }: Pick<Principal, 'uuid' | 'key' | 'body'>): Client {
  const main = textOrNull(body['defaultRedirectUri'])
  const grantTypes = texts(body['grantTypes']) as GrantType[]
  // An empty list gives no scopes; a missing list gives the default ones.
  const listed = body['scopes'] == null ? DEFAULT_SCOPES : texts(body['scopes'])
  const scopes = listed.filter(isScope)
  return {
    uuid,
    identifier: identifierOf({ key, uuid }),
    name: typeof body['name'] === 'string' ? body['name'] : key,
    status: statusOf(body),
    grantTypes,
    defaultRedirectUri: main,
    redirectUris: [...new Set([...(main === null ? [] : [main]), ...texts(body['redirectUris'])])],
    scopes,
    unknownScopes: listed.filter((scope) => !isScope(scope)),
    allowedScopes: scopes.length > 0 && grantTypes.includes('AUTHORIZATION_CODE') ? withOpenid(scopes) : scopes,
    skipsConsent: body['noExplicitConsentRequired'] === true,
  }
}

function withOpenid(scopes: readonly string[]): readonly string[] {
  return scopes.includes('openid') ? scopes : ['openid', ...scopes]
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}
