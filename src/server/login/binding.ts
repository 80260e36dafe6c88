import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Cookie } from './set-cookie.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { INTERACTION_SECONDS, type Interaction } from './interaction.ts'

// Only the browser that began a sign-in may continue it. Otherwise an attacker could send the address of a sign-in page
// to a victim, who signs in there, and the attacker would then be signed in as the victim. One cookie names the browser
// for all its sign-ins, because many tabs with their own cookies could exceed the 16 kB of a request's headers. An
// interaction is stored with a code made from the cookie, which does not reveal the cookie.

type BindingContext = Pick<AccessContext, 'key' | 'domain'>

/** Tells whether a text has the form of oidc-provider's interaction ids. */
export function isInteractionId(text: string): boolean {
  return /^[\w-]{20,64}$/.test(text)
}

/** The name of a cookie. With `__Host-` no other host can set it, even of one site (RFC 6265bis, section 4.1.3.2). */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}holdfast-${name}`
}

/** The lifetime of the cookie. Otherwise tabs restored together would each get one, and only the last would work. */
const BROWSER_SECONDS = 31_536_000

/** Returns the cookie that names the browser: the one that the browser sent, or a new one. */
export function browserCookie(cookies: (name: string) => string | undefined, secure: boolean): Cookie {
  const name = browserCookieName(secure)
  const known = cookies(name)
  const value = isBrowser(known) ? known : randomBytes(32).toString('base64url')
  return { name, value, seconds: BROWSER_SECONDS, secure }
}

export function browserCookieName(isSecure: boolean): string {
  return cookieName('browser', isSecure)
}

export function isBrowser(cookie: string | undefined): cookie is string {
  return /^[\w-]{43}$/.test(cookie ?? '')
}

/** Returns the value that is stored with an interaction of this browser. */
export function bindingOf(context: BindingContext, browser: string): string {
  return mac(context, 'binding', browser)
}

export function isBound(context: BindingContext, binding: unknown, cookie: string | undefined): boolean {
  return isBrowser(cookie) && typeof binding === 'string' && isSame(binding, bindingOf(context, cookie))
}

/** The token for the forms of an interaction or password link in this browser. No other site's page can know it. */
export function csrfToken(context: BindingContext, id: string, browser: string): string {
  return mac(context, 'csrf', `${id} ${browser}`)
}

function mac({ key, domain }: BindingContext, purpose: string, text: string): string {
  return createHmac('sha256', key.derive(`holdfast login ${purpose}`))
    .update(`${domain.uuid}\n${text}`)
    .digest('base64url')
}

/** Compares secrets in constant time. */
export function isSame(given: string | undefined, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Binds a new interaction to its browser, and returns its lifetime in seconds. It is `ttl.Interaction` of
 * oidc-provider, which calls it right before it stores the interaction. `cid` is a random id that the library stores
 * and never reads.
 */
export function bindInteraction(access: AccessContext, koa: KoaContextWithOIDC, interaction: Interaction): number {
  const secure = koa.oidc.provider.issuer.startsWith('https:')
  const { name, value, seconds } = browserCookie((cookie) => koa.cookies.get(cookie, { signed: false }), secure)
  interaction.cid = bindingOf(access, value)
  koa.cookies.set(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    signed: false,
    overwrite: true,
    maxAge: seconds * 1000,
  })
  return INTERACTION_SECONDS
}
