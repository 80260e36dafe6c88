import { hash } from 'node:crypto'
import { canonicalText } from '../../../lib/json.ts'
import type { AuthenticationMethod } from '../methods/method.ts'
import { termsOf } from '../methods/method.ts'

// Everything issued by a sign-in holds a security stamp of its proof: the stored password, or the identity at another
// provider with the method's configuration. When one of these changes, sessions, codes and refresh tokens with the old
// stamp become invalid, including those that a concurrent request writes late.

/** The stamp of a password. It reveals nothing about the password to those who cannot read its hash. */
export function passwordStamp(storedHash: string): string {
  return stampOf(storedHash)
}

/** The stamp of an identity, given by its uuid. */
export function identityStamp(method: AuthenticationMethod, identity: string): string {
  return stampOf(canonicalText({ terms: termsOf(method), identity }))
}

function stampOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
