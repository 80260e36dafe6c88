import { inspect } from 'node:util'

const REFERENCE = /^\$\{(env|file):[^}]+\}$/

/** Whether a text is one whole reference that nobody has resolved: a secret that is not known here. */
export function isUnresolvedReference(text: string): boolean {
  return REFERENCE.test(text)
}

/**
 * What is known of the secret that a record shall have: the secret itself; `unresolved`, a reference that nobody has
 * looked up; `keep`, the one that it has; the fingerprint of one that it had before.
 */
export type DesiredSecret = Secret | 'unresolved' | 'keep' | { readonly fingerprint: string }

/**
 * A secret in clear. It has no string form: printing, logging, interpolating and serialising it shows `(secret)`.
 * Only `reveal` gives the text, so that a search for that name finds every place that may see one.
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
