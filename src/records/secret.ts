import { inspect } from 'node:util'

const REFERENCE = /^\$\{(env|file):[^}]+\}$/

/** Tells whether a text is a single unresolved reference. The secret is then unknown here. */
export function isUnresolvedReference(text: string): boolean {
  return REFERENCE.test(text)
}

/** Placeholder in a document for a secret that the platform creates and nobody knows (docs/decisions/0005). */
export const GENERATED = '${generated}'

/** The fingerprint of every generated secret. All other fingerprints have 43 characters. */
export const GENERATED_FINGERPRINT = 'generated'

/** Tells whether a text is a placeholder for a secret. */
export function standsForSecret(text: string): boolean {
  return text === GENERATED || isUnresolvedReference(text)
}

/**
 * The secret that a record shall have: the secret itself, `unresolved` for an unresolved reference, `generated` for one
 * that the platform creates, `keep` for the present one, or the fingerprint of an earlier one.
 */
export type DesiredSecret = Secret | 'unresolved' | 'generated' | 'keep' | { readonly fingerprint: string }

/**
 * A secret in plain text. Printing, logging, interpolating and serialising show `(secret)`. Only `reveal` returns the
 * text, so a search for that name finds all code that can see a secret.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '(secret)'
  }

  toJSON(): string {
    return '(secret)'
  }

  [inspect.custom](): string {
    return '(secret)'
  }
}
