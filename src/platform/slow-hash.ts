import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Argon2Parameters } from '../auth/password-hash.ts'
import { Semaphore } from './semaphore.ts'

/** A hash that is slow to compute, so that a password cannot be found by trying many. */
export type SlowHash = (text: string, salt: Uint8Array, parameters: Argon2Parameters) => Promise<Uint8Array>

const compute = promisify(argon2)

/** More at once would only take memory (19 MiB each) and time from everything else. */
const turns = new Semaphore(2 * availableParallelism())

export const argon2id: SlowHash = (text, salt, parameters) =>
  turns.run(async () => new Uint8Array(await compute('argon2id', { ...parameters, message: text, nonce: salt })))

/** How many wait for their turn. */
export function waitingForSlowHash(): number {
  return turns.waiting
}
