// PHC string format (https://github.com/P-H-C/phc-string-format) for argon2id.

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

export function toPhc(salt: Uint8Array, tag: Uint8Array): string {
  const { memory, passes, parallelism } = ARGON2
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
