import { hash } from 'node:crypto'

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = `sha256:${string}`

export function isDigest(text: string): text is Digest {
  return /^sha256:[0-9a-f]{64}$/.test(text)
}

export function digestOf(text: string): Digest {
  return `sha256:${hash('sha256', text, 'hex')}`
}
