import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Argon2Parameters } from '../auth/password-hash.ts'
import { Semaphore, type Rank } from './semaphore.ts'

/** A hash that is slow to compute, so that passwords cannot be found by trying many. */
export type SlowHash = (
  text: string,
  salt: Uint8Array,
  parameters: Argon2Parameters,
  rank?: Rank,
) => Promise<Uint8Array>

const compute = promisify(argon2)

/** Node uses the same threads for files, compression and DNS, so one of them stays free. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
const MOST = Math.max(1, Math.min(availableParallelism(), THREADS - 1))

/** Strangers get at most half of the processors. The rest is for known accounts and all other requests. */
const turns = new Semaphore(MOST, Math.max(1, Math.floor(MOST / 2)))

export const argon2id: SlowHash = (text, salt, parameters, rank) =>
  turns.run(async () => new Uint8Array(await compute('argon2id', { ...parameters, message: text, nonce: salt })), rank)

/** The number of hashes that wait for their turn. */
export function waitingForSlowHash(): number {
  return turns.waiting
}
