import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** A random secret for a client, which is better than most that people think of. */
export function newClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}
