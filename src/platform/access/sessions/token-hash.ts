import { hash } from 'node:crypto'

/**
 * The hash by which a token, code or session is found, so that reading the database does not reveal tokens. Such
 * values are random and so long that a fast hash is enough; those of other providers are signed.
 */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}
