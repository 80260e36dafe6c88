import { keysOf } from '../lib/entries.ts'

// These functions use the PHC string format (https://github.com/P-H-C/phc-string-format) for argon2id.

export interface Argon2Parameters {
  /** The memory in KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const ARGON2: Argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

export interface PasswordHash {
  readonly parameters: Argon2Parameters
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

export function toPhc({ parameters, salt, tag }: PasswordHash): string {
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/-]+)\$([\w+/-]+)$/

/** Parses a PHC string; null if it is no argon2id hash. */
export function parsePhc(text: string): PasswordHash | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? []
  if (salt === undefined || tag === undefined) return null
  const bytes = { salt: bytesOf(salt), tag: bytesOf(tag) }
  return {
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: bytes.tag.length,
    },
    ...bytes,
  }
}

/** Tells whether a hash was made with the present parameters. */
export function isUpToDate({ parameters }: PasswordHash): boolean {
  return keysOf(ARGON2).every((name) => parameters[name] === ARGON2[name])
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
