import { hash } from 'node:crypto'
import { canonicalText } from '../../../lib/json.ts'
import type { AuthenticationMethod } from '../methods/method.ts'
import { termsOf } from '../methods/method.ts'

// What comes out of a sign-in holds a mark of what let it happen: the password as it is stored, or the identity at another
// provider with the terms of the authentication method. Once that is another one, sessions, codes and refresh tokens of the old one count no more, also
// those that a request writes late which began before.

/** Tells nothing of a password to whoever could not read its hash. */
export function passwordMark(storedHash: string): string {
  return markOf(storedHash)
}

/** `identity`: its uuid. */
export function identityMark(method: AuthenticationMethod, identity: string): string {
  return markOf(canonicalText({ terms: termsOf(method), identity }))
}

function markOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
