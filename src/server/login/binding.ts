import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccessContext } from '../../platform/access/access-context.ts'

// Only the browser that began to sign in may continue. Otherwise an attacker could send the address of a sign-in page
// to a victim, let the victim sign in there, and come back signed in as the victim. Each interaction has its own
// cookie, so that two tabs do not disturb each other. The cookie's value follows from the interaction and the
// platform's key, and nothing is stored.

type BindingContext = Pick<AccessContext, 'key' | 'domain'>

/** Tells whether a text has the form of oidc-provider's interaction ids. */
export function isInteractionId(text: string): boolean {
  return /^[\w-]{20,64}$/.test(text)
}

/**
 * The name of a cookie. With `__Host-` no other host can set it, not even one of the same site (RFC 6265bis, section
 * 4.1.3.2).
 */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}holdfast-${name}`
}

export function bindingCookieName(interactionId: string, isSecure: boolean): string {
  return cookieName(`login-${interactionId}`, isSecure)
}

export function bindingValue(context: BindingContext, interactionId: string): string {
  return mac(context, 'binding', interactionId)
}

/** The token in every form of an interaction, which a page of another site cannot know. */
export function csrfToken(context: BindingContext, interactionId: string): string {
  return mac(context, 'csrf', interactionId + bindingValue(context, interactionId))
}

export function isBound(context: BindingContext, interactionId: string, cookie: string | undefined): boolean {
  return isSame(cookie, bindingValue(context, interactionId))
}

export function isCsrfToken(context: BindingContext, interactionId: string, token: string | undefined): boolean {
  return isSame(token, csrfToken(context, interactionId))
}

function mac({ key, domain }: BindingContext, purpose: string, text: string): string {
  return createHmac('sha256', key.derive(`holdfast login ${purpose}`))
    .update(`${domain.uuid}\n${text}`)
    .digest('base64url')
}

export function isSame(given: string | undefined, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
