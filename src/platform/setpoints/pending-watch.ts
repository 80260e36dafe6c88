import type { Database } from '../../db/sql.ts'
import { findPendingTargets, type SetpointTarget } from '../../store/setpoints/setpoints.ts'
import type { ChangeSignals } from '../change-signals.ts'

export interface WatchParts {
  readonly database: Database
  readonly changes: ChangeSignals
  /** Tells whether waiting should stop because the process ends. */
  isEnding(): boolean
}

interface Waiter extends SetpointTarget {
  wake(): void
}

/** Other processes write too and send no signal, so the database is polled. */
const POLL_EVERY_MS = 1_000

/**
 * Wakes devices that wait for setpoints. One statement serves all devices of a domain, at most once a second and
 * after each change in this process.
 */
export class PendingWatch {
  readonly #parts: WatchParts
  readonly #waiting = new Map<number, Set<Waiter>>()

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  get isEnding(): boolean {
    return this.#parts.isEnding()
  }

  /**
   * Begins to wait at once. It resolves when something may be pending, when `abort` fires, or when the process ends,
   * and never rejects. The caller must look afterwards, because setpoints that became pending just before are not
   * waited for.
   */
  next(domainId: number, target: SetpointTarget, abort: AbortSignal): Promise<void> {
    if (abort.aborted) return Promise.resolve()
    const known = this.#waiting.get(domainId)
    const waiters = known ?? new Set()
    this.#waiting.set(domainId, waiters)
    const woken = new Promise<void>((resolve) => {
      const wake = (): void => {
        abort.removeEventListener('abort', wake)
        waiters.delete(waiter)
        resolve()
      }
      const waiter = { ...target, wake }
      abort.addEventListener('abort', wake, { once: true })
      waiters.add(waiter)
    })
    if (known === undefined) void this.#watch(domainId, waiters)
    return woken
  }

  async #watch(domainId: number, waiters: Set<Waiter>): Promise<void> {
    const end = new AbortController()
    const change = () => this.#parts.changes.next(domainId, 'setpoints', POLL_EVERY_MS, end.signal)
    let changed = change()
    while (waiters.size > 0) {
      await changed
      // The next change is already awaited during the poll, which may or may not see it.
      changed = change()
      await this.#poll(domainId, waiters)
    }
    this.#waiting.delete(domainId)
    end.abort()
  }

  async #poll(domainId: number, waiters: ReadonlySet<Waiter>): Promise<void> {
    const all = [...waiters]
    if (all.length === 0) return
    if (this.isEnding) return all.forEach(({ wake }) => wake())
    const systems = all.flatMap(({ system, components }) => (components === null && system !== null ? [system] : []))
    const components = all.flatMap((one) => one.components ?? [])
    const found = await findPendingTargets(this.#parts.database, domainId, systems, components).catch(() => null)
    // Where the database does not answer, all waiters are woken, and find that out themselves.
    const [withSystem, withComponent] = [
      new Set(found?.map(({ system }) => system)),
      new Set(found?.map(({ component }) => component)),
    ]
    for (const waiter of all) {
      const isMeant = waiter.components?.some((uuid) => withComponent.has(uuid)) ?? withSystem.has(waiter.system ?? '')
      if (found === null || isMeant) waiter.wake()
    }
  }
}
