import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccessContext } from '../../platform/access/access-context.ts'

// Only the browser that began to sign in may go on with it: else somebody could send the address of a page of theirs to
// a victim, let them sign in there, and come back signed in as them. Each interaction has a cookie of its own, so that
// two tabs do not get in each other's way. What is in the cookie follows from the interaction and the platform's key;
// nothing is stored.

type Place = Pick<AccessContext, 'key' | 'domain'>

/** An interaction's id, as oidc-provider makes them. */
export function isInteractionId(text: string): boolean {
  return /^[\w-]{20,64}$/.test(text)
}

/** `__Host-`: no other host can set it, not even one of the same site (RFC 6265bis, section 4.1.3.2). */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}holdfast-${name}`
}

export function bindingCookieName(interactionId: string, isSecure: boolean): string {
  return cookieName(`login-${interactionId}`, isSecure)
}

export function bindingValue(place: Place, interactionId: string): string {
  return mac(place, 'binding', interactionId)
}

/** In every form of an interaction: a page of another site cannot know it. */
export function csrfToken(place: Place, interactionId: string): string {
  return mac(place, 'csrf', interactionId + bindingValue(place, interactionId))
}

export function isBound(place: Place, interactionId: string, cookie: string | undefined): boolean {
  return isSame(cookie, bindingValue(place, interactionId))
}

export function isCsrfToken(place: Place, interactionId: string, token: string | undefined): boolean {
  return isSame(token, csrfToken(place, interactionId))
}

function mac({ key, domain }: Place, purpose: string, text: string): string {
  return createHmac('sha256', key.derive(`holdfast login ${purpose}`))
    .update(`${domain.uuid}\n${text}`)
    .digest('base64url')
}

export function isSame(given: string | undefined, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
