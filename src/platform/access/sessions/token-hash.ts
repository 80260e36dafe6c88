import { hash } from 'node:crypto'

/**
 * The hash by which a token, code or session is found, so that a reader of the database learns no tokens. A fast hash
 * is enough, because these values are long and random; tokens of other providers are signed.
 */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}
