import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** Makes a random secret for a client. It is stronger than most secrets that people choose. */
export function newClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}
