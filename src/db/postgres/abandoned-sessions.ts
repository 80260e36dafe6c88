import type { ClientBase } from 'pg'
import { TEXT, INT4 } from '../columns.ts'
import { toRows, type RowOf } from '../row-shape.ts'

const SESSION = { pid: INT4, startedAt: TEXT }
type Session = RowOf<typeof SESSION>

const SELECT_SESSION = `select pid, backend_start::text as "startedAt" from pg_stat_activity where pid = pg_backend_pid()`
const END_SESSION = `select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2`

/**
 * The sessions of connections that were given up. The database may learn only after hours that nobody listens to them, and
 * they keep their locks until then, so the next connection ends them. It does not wait: one that stands still ends when it
 * goes on.
 */
export class AbandonedSessions {
  readonly #sessions = new WeakMap<ClientBase, Session>()
  readonly #abandoned = new Set<Session>()

  /** Notes the session of a new connection, and ends those that were given up. */
  async begin(client: ClientBase): Promise<void> {
    const [session] = toRows(SESSION, await client.query<object>(SELECT_SESSION), SELECT_SESSION)
    if (session !== undefined) this.#sessions.set(client, session)
    for (const abandoned of this.#abandoned) {
      await client.query(END_SESSION, [abandoned.pid, abandoned.startedAt])
      this.#abandoned.delete(abandoned)
    }
  }

  add(client: ClientBase): void {
    const session = this.#sessions.get(client)
    if (session !== undefined) this.#abandoned.add(session)
  }
}
