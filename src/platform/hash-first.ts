import { HoldfastError } from '../lib/errors.ts'
import { recordId } from '../records/record-id.ts'
import type { RecordKey } from '../records/record-type.ts'
import { recordType } from '../records/registry.ts'
import type { Secret } from '../records/secret.ts'
import type { DomainContext } from './domain-context.ts'

// A slow hash takes tens of milliseconds, and a document may have thousands of secrets. A transaction must not compute
// them, because it holds the lock of the domain, or the only connection of PGlite. If a transaction lacks hashes, it
// ends, the hashes are computed, and the transaction starts again (docs/decisions/0005).

/** The number of attempts before the sender must try again. */
const MOST_ATTEMPTS = 5

const AT_ONCE = 2

class HashFirst extends HoldfastError {
  constructor() {
    super('UNAVAILABLE', 'the records with secrets kept changing while this was under way; try again')
  }
}

type Keeper = Pick<DomainContext, 'domain' | 'secrets'>

/** The hashes of secrets for one change or plan. */
export class SecretHashes {
  readonly #keeper: Keeper
  readonly #computed = new Map<string, string>()
  readonly #missing = new Map<string, () => Promise<string>>()

  constructor(keeper: Keeper) {
    this.#keeper = keeper
  }

  get isEmpty(): boolean {
    return this.#computed.size === 0
  }

  /** The fingerprint of a secret; null until `compute`. */
  fingerprint(type: RecordKey['type'], salt: string, secret: Secret): string | null {
    const { domain, secrets } = this.#keeper
    const about = [domain.uuid, recordType(type), salt, secret] as const
    const fast = secrets.knownFingerprint(...about)
    return fast ?? this.#take(`fingerprint ${type} ${salt}`, secret, () => secrets.fingerprint(...about))
  }

  /** The hash that is stored to check sign-ins; null until `compute`. */
  hash(record: RecordKey, secret: Secret): string | null {
    const type = recordType(record.type)
    const { secrets } = this.#keeper
    if (type.secretKind !== 'password') return secrets.hashClientSecret(secret)
    return this.#take(`hash ${recordId(record)}`, secret, () => secrets.hashPassword(secret))
  }

  /** Ends the transaction if it asked for hashes that are not computed. */
  requireAll(): void {
    if (this.#missing.size > 0) throw new HashFirst()
  }

  /** Computes a few at a time, because a queue of thousands would block all sign-ins with a password. */
  async compute(left?: AbortSignal): Promise<void> {
    const missing = [...this.#missing].values()
    this.#missing.clear()
    const computeSome = async () => {
      for (const [name, compute] of missing) {
        if (left?.aborted === true)
          throw new HoldfastError('UNAVAILABLE', 'the client has disconnected; nothing was changed')
        this.#computed.set(name, await compute())
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, computeSome))
  }

  #take(about: string, secret: Secret, compute: () => Promise<string>): string | null {
    const name = this.#keeper.secrets.nameInMemory(about, secret)
    const known = this.#computed.get(name)
    if (known === undefined) this.#missing.set(name, compute)
    return known ?? null
  }
}

export interface HashingContext extends DomainContext {
  readonly hashes: SecretHashes
}

/** Runs work with transactions that need hashes of secrets. It starts again if hashes were missing. */
export async function hashingFirst<T>(
  context: DomainContext,
  work: (context: HashingContext) => Promise<T>,
): Promise<T> {
  const hashes = new SecretHashes(context)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work({ ...context, hashes })
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !(error instanceof HashFirst)) throw error
      await hashes.compute(context.left)
    }
  }
}
