import type { Database } from '../../db/sql.ts'
import { findPlacesPending, type SetpointPlace } from '../../store/setpoints/setpoints.ts'
import type { ChangeSignals } from '../changes/change-signals.ts'

export interface WatchParts {
  readonly database: Database
  readonly changes: ChangeSignals
  /** Whether nobody should wait any longer, because the process ends. */
  isEnding(): boolean
}

interface Waiter extends SetpointPlace {
  wake(): void
}

/** Other processes write too and send no signal. */
const LOOK_EVERY_MS = 1_000

/**
 * Wakes devices that wait for setpoints: all of a domain by one statement, at most once a second and after each change in
 * this process, however many they are.
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
   * Begins to wait at once; resolves when something may be pending there, when `abort` fires, or when the process ends.
   * Never rejects. To be followed by a look: what became pending just before is not waited for.
   */
  next(domainId: number, place: SetpointPlace, abort: AbortSignal): Promise<void> {
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
      const waiter = { ...place, wake }
      abort.addEventListener('abort', wake, { once: true })
      waiters.add(waiter)
    })
    if (known === undefined) void this.#watch(domainId, waiters)
    return woken
  }

  async #watch(domainId: number, waiters: Set<Waiter>): Promise<void> {
    const end = new AbortController()
    const change = () => this.#parts.changes.next(domainId, 'setpoints', LOOK_EVERY_MS, end.signal)
    let changed = change()
    while (waiters.size > 0) {
      await changed
      // Waited for already while this looks: what changes meanwhile may be seen by it, or not.
      changed = change()
      await this.#look(domainId, waiters)
    }
    this.#waiting.delete(domainId)
    end.abort()
  }

  async #look(domainId: number, waiters: ReadonlySet<Waiter>): Promise<void> {
    const all = [...waiters]
    if (all.length === 0) return
    if (this.isEnding) return all.forEach(({ wake }) => wake())
    const systems = all.flatMap(({ system, components }) => (components === null && system !== null ? [system] : []))
    const components = all.flatMap((one) => one.components ?? [])
    const found = await findPlacesPending(this.#parts.database, domainId, systems, components).catch(() => null)
    // Where the database does not answer, whoever waits finds out and says so.
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
