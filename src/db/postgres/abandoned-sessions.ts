import type { ClientBase } from 'pg'
import { TEXT, INT4, BOOL } from '../columns.ts'
import { toRows, type RowOf } from '../row-shape.ts'

const SESSION = { pid: INT4, startedAt: TEXT }
type Session = RowOf<typeof SESSION>

const SELECT_SESSION = `select pid, backend_start::text as "startedAt" from pg_stat_activity where pid = pg_backend_pid()`
const END_SESSION = `select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity where pid = $1 and backend_start::text = $2`

/**
 * The sessions of connections that were given up. The database may still be about to run their last statement, after those
 * that come now: a value that was replaced in between would win. So they are ended before another connection is used.
 */
export class AbandonedSessions {
  readonly #sessions = new WeakMap<ClientBase, Session>()
  readonly #abandoned = new Set<Session>()

  /** Notes the session of a new connection, when no other is left that was given up. */
  async begin(client: ClientBase): Promise<void> {
    const [session] = toRows(SESSION, await client.query<object>(SELECT_SESSION), SELECT_SESSION)
    if (session !== undefined) this.#sessions.set(client, session)
    for (const abandoned of this.#abandoned) await this.#end(client, abandoned)
  }

  add(client: ClientBase): void {
    const session = this.#sessions.get(client)
    if (session !== undefined) this.#abandoned.add(session)
  }

  async #end(client: ClientBase, session: Session): Promise<void> {
    const result = await client.query<object>(END_SESSION, [session.pid, session.startedAt])
    const [found] = toRows({ ended: BOOL }, result, END_SESSION)
    if (found?.ended === false) throw new Error('A session that was given up could not be ended; it is tried again')
    this.#abandoned.delete(session)
  }
}
