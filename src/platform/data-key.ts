import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { HoldfastError } from '../lib/errors.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The platform's key (HOLDFAST_KEY), which is never in the database. Each purpose has a key derived from it. */
export class DataKey {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Derives 32 bytes. The result for a purpose is always the same (HKDF, RFC 5869). */
  derive(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#bytes, new Uint8Array(0), purpose, 32))
  }

  /** Encrypts a value for the database. `context` names the place of the value. Only the same context decrypts it. */
  seal(text: string, context: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.derive('holdfast sealed'), nonce)
    cipher.setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  unseal(sealed: Uint8Array, context: string): string {
    try {
      const decipher = createDecipheriv(CIPHER, this.derive('holdfast sealed'), sealed.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
    } catch (cause) {
      throw new HoldfastError(
        'INTERNAL',
        'HOLDFAST_KEY (or, without DATABASE_URL, the file "key" in the data directory) is not the key of this database, so the database cannot be decrypted; restore that key',
        { cause },
      )
    }
  }
}
