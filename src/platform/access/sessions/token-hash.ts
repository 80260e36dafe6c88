import { hash } from 'node:crypto'

/**
 * What a token, code or session is found by: whoever reads the database cannot use it. Such values are random and long
 * enough that a fast hash does not help anybody to find them; one in another provider's form is signed.
 */
export function tokenHash(token: string): Uint8Array {
  return new Uint8Array(hash('sha256', token, 'buffer'))
}
