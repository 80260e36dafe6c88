import { writeAccess } from '../../../store/domains.ts'
import { keepSession, keepToken } from '../../../store/access/sessions.ts'
import type { AccessContext } from '../access-context.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_IN_ALL } from './session-lifetime.ts'
import { tokenHash } from './token-hash.ts'

/** The least time between two records of the use of a session. */
const WRITTEN_EVERY_MS = 5 * 60_000

/** The maximum number of sessions that are remembered. A forgotten use is recorded once more, which does no harm. */
const MOST_REMEMBERED = 10_000

/** The sessions whose use this process has recorded. */
export class SessionsInUse {
  /** The time when the use of each token was last recorded, earliest first. */
  readonly #written = new Map<string, number>()

  /**
   * Extends a session and its token, because the token is used in the browser of the session. Both last for an hour
   * from the last use, and end together. Otherwise a later sign-out would find no session to end.
   */
  async note(context: AccessContext, token: string): Promise<void> {
    const hash = tokenHash(token)
    const name = `${context.domain.id} ${Buffer.from(hash).toString('base64')}`
    if (!this.#isDue(name, context.now().getTime())) return
    try {
      await letGoOn(context, hash)
    } catch (error) {
      this.#written.delete(name)
      throw error
    }
  }

  #isDue(name: string, now: number): boolean {
    const last = this.#written.get(name)
    // A clock that was set back must not prevent the extension.
    if (last !== undefined && Math.abs(now - last) < WRITTEN_EVERY_MS) return false
    this.#written.delete(name)
    this.#written.set(name, now)
    const [first] = this.#written.keys()
    if (this.#written.size > MOST_REMEMBERED && first !== undefined) this.#written.delete(first)
    return true
  }
}

async function letGoOn(context: AccessContext, hash: Uint8Array): Promise<void> {
  const { database, domain } = context
  const use = {
    tokenHash: hash,
    now: context.now(),
    idleSeconds: SESSION_IDLE_SECONDS,
    secondsInAll: SESSION_SECONDS_IN_ALL,
  }
  const expiresAt = await writeAccess(database, domain.id, (sql) => keepSession(sql, domain.id, use))
  if (expiresAt !== null) await writeAccess(database, domain.id, (sql) => keepToken(sql, domain.id, hash, expiresAt))
}
