import { createHmac } from 'node:crypto'
import type { DataKey } from '../../platform/data-key.ts'
import { cookieName } from '../../server/login/binding.ts'
import type { Domain } from '../../store/domains.ts'

// A person is signed in while the browser has a cookie with a valid access token. The cookie is sealed, and scripts
// cannot read it. The console stores nothing else about the session. So when the provider ends the session or a right,
// it ends here with the next request, on every server.

/** The keys of a platform, and the domain that people are signed in to. */
export interface Sealing {
  readonly key: DataKey
  readonly domain: Pick<Domain, 'uuid'>
}

export interface Session {
  readonly token: string
  /** The token that every form of the session carries. Other sites do not know it. */
  readonly csrf: string
}

export function sessionCookieName(isSecure: boolean): string {
  return cookieName('console', isSecure)
}

export function sealSession({ key, domain }: Sealing, token: string): string {
  return seal(key, token, `console session ${domain.uuid}`)
}

/** Null if the cookie is absent, belongs to another domain, or was not made by this platform. */
export function openSession({ key, domain }: Sealing, cookie: string | undefined): Session | null {
  const token = unseal(key, cookie, `console session ${domain.uuid}`)
  return token === null ? null : { token, csrf: csrfOf(key, token) }
}

function csrfOf(key: DataKey, token: string): string {
  return createHmac('sha256', key.derive('holdfast console forms')).update(token).digest('base64url')
}

export function seal(key: DataKey, text: string, context: string): string {
  return Buffer.from(key.seal(text, context)).toString('base64url')
}

export function unseal(key: DataKey, cookie: string | undefined, context: string): string | null {
  if (cookie === undefined) return null
  try {
    return key.unseal(Buffer.from(cookie, 'base64url'), context)
  } catch {
    return null
  }
}
