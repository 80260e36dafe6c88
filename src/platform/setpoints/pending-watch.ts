import type { Database } from '../../db/sql.ts'
import { findPendingTargets, type PendingTarget, type SetpointTarget } from '../../store/setpoints/setpoints.ts'
import type { ChangeSignals } from '../change-signals.ts'

interface WatchParts {
  readonly database: Database
  readonly changes: ChangeSignals
  /** Tells whether waiting should stop because the process ends. */
  isEnding(): boolean
}

interface Waiter extends SetpointTarget {
  /** The setpoints that the device could not carry out when it was woken last. */
  readonly leftOut: string | undefined
  readonly since: number
  /** `pending`: the setpoints for which the device is woken. */
  wake(pending?: string): void
}

/** Other processes write too and send no signal, so the database is polled. */
const POLL_EVERY_MS = 1_000
/** A setpoint that a device could not carry out may become possible without a change of the setpoint. */
const LOOK_AGAIN_MS = 30_000

/**
 * Wakes devices that wait for setpoints. One statement serves all devices of a domain, once a second and after a change in this
 * process, but at most twice a second.
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
   * Begins to wait at once. It resolves when a setpoint may be pending, when `abort` fires, or when the process ends,
   * and never rejects. The caller must query the setpoints after this call, because some may have become pending just
   * before it. The result stands for the pending setpoints. If the caller can give none of them to the device, it
   * passes the result on as `leftOut`. Then it is not woken at once for the same setpoints.
   */
  next(domainId: number, target: SetpointTarget, abort: AbortSignal, leftOut?: string): Promise<string | undefined> {
    if (abort.aborted) return Promise.resolve(leftOut)
    const known = this.#waiting.get(domainId)
    const waiters = known ?? new Set()
    this.#waiting.set(domainId, waiters)
    const woken = new Promise<string | undefined>((resolve) => {
      const wake = (pending = leftOut): void => {
        abort.removeEventListener('abort', leave)
        waiters.delete(waiter)
        resolve(pending)
      }
      const leave = (): void => wake()
      const waiter = { ...target, leftOut, since: performance.now(), wake }
      abort.addEventListener('abort', leave, { once: true })
      waiters.add(waiter)
    })
    if (known === undefined) void this.#watch(domainId, waiters)
    return woken
  }

  async #watch(domainId: number, waiters: Set<Waiter>): Promise<void> {
    const end = new AbortController()
    const change = () => this.#parts.changes.next(domainId, 'setpoints', POLL_EVERY_MS, end.signal)
    let changed = change()
    const lastPolls = [-Infinity, -Infinity]
    while (waiters.size > 0) {
      await changed
      const rest = (lastPolls.shift() ?? 0) + POLL_EVERY_MS - performance.now()
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest))
      lastPolls.push(performance.now())
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
    const { database } = this.#parts
    const found = await findPendingTargets(database, domainId, once(systems), once(components)).catch(() => null)
    // If the database does not answer, all waiters are woken, and get the error from their own query.
    if (found === null) return all.forEach(({ wake }) => wake())
    const ofSystems = Map.groupBy(found, ({ system }) => system)
    const ofComponents = Map.groupBy(found, ({ component }) => component)
    for (const { wake, leftOut, since, ...target } of all) {
      const own =
        target.components?.flatMap((uuid) => ofComponents.get(uuid) ?? []) ?? ofSystems.get(target.system ?? '')
      const pending = textOf(own ?? [])
      const isNew = pending !== leftOut || performance.now() - since >= LOOK_AGAIN_MS
      if (pending !== '' && isNew) wake(pending)
    }
  }
}

const once = (uuids: readonly string[]): string[] => [...new Set(uuids)]

/** A text that is equal for equal sets of setpoints. */
function textOf(targets: readonly PendingTarget[]): string {
  return targets
    .map(({ component, pending }) => `${component} ${pending}`)
    .toSorted()
    .join(' ')
}
