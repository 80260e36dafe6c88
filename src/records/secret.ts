import { inspect } from 'node:util'

const REFERENCE = /^\$\{(env|file):[^}]+\}$/

/** Tells whether a text is a single reference that was not resolved, so that the secret is not known here. */
export function isUnresolvedReference(text: string): boolean {
  return REFERENCE.test(text)
}

/** Stands in a document for a secret that the platform makes and nobody knows (docs/decisions/0005). */
export const GENERATED = '${generated}'

/** The fingerprint of every generated secret. Others are 43 characters long, so none is equal to it. */
export const GENERATED_FINGERPRINT = 'generated'

/** Tells whether a text stands for a secret, rather than being one. */
export function standsForSecret(text: string): boolean {
  return text === GENERATED || isUnresolvedReference(text)
}

/**
 * The secret that a record shall have: the secret itself, `unresolved` for a reference that was not looked up,
 * `generated` for one that the platform makes, `keep` for the present one, or the fingerprint of an earlier one.
 */
export type DesiredSecret = Secret | 'unresolved' | 'generated' | 'keep' | { readonly fingerprint: string }

/**
 * A secret in plain text. Printing, logging, interpolating and serialising it shows `(secret)`. Only `reveal` returns
 * the text, so that a search for that name finds all code that may see a secret.
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
