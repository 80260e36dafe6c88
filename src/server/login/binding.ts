import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Cookie } from './set-cookie.ts'

// Only the browser that began a sign-in may continue it. Otherwise an attacker could send the address of a sign-in page
// to a victim, who signs in there, and the attacker would then be signed in as the victim. One cookie names the browser
// for all its sign-ins, because many tabs with their own cookies could exceed the 16 kB of a request's headers. An
// interaction is stored with a code made from the cookie, which does not reveal the cookie.

type BindingContext = Pick<AccessContext, 'key' | 'domain'>

/** Tells whether a text has the form of oidc-provider's interaction ids. */
export function isInteractionId(text: string): boolean {
  return /^[\w-]{20,64}$/.test(text)
}

/**
 * Returns the name of a cookie. With `__Host-` no other host can set it, not even another host of the same site (RFC
 * 6265bis, section 4.1.3.2).
 */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}holdfast-${name}`
}

/**
 * The lifetime of the cookie. Without a lasting cookie, tabs that are restored together would each get a new one, and
 * only the last one would work.
 */
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

/**
 * Returns the token for the forms of an interaction or password link in this browser. A page of another site cannot
 * know the token.
 */
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
