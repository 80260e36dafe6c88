import { setTimeout } from 'node:timers/promises'
import type { StoredValue, ValueRules } from '../../../records/values/value.ts'
import type { Database } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { applyReported, type ReportedValue } from '../../../store/setpoints/due-setpoints.ts'
import type { ChangeSignals } from '../../change-signals.ts'
import type { SeriesEntry } from '../series/series-entry.ts'

/** A value that a device reported for a characteristic that people set. */
export interface ReportedSetting {
  readonly entry: SeriesEntry
  /** Microseconds since 1970. */
  readonly at: number
  readonly value: StoredValue
}

interface ReportedParts {
  readonly database: Database
  readonly changes?: ChangeSignals
  /** The time that a batch waits for setpoints that another transaction is changing. */
  readonly longestLockMs: number
  now(): Date
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 320
const LOCKED =
  'the datapoints of the batch are stored, but setpoints that they report are being changed, which takes longer than usual; send the batch again in a moment'

/** Informs setpoints of reported values, one domain at a time, so that a failure stops only its domain. */
export class ReportedSettings {
  readonly #parts: ReportedParts
  readonly #domains = new Map<number, ReportedInDomain>()

  constructor(parts: ReportedParts) {
    this.#parts = parts
  }

  /**
   * Must be called when the points are stored, with values of one domain. It rejects if setpoints were not informed; the
   * client must then send the batch again. Only batches that report a locked setpoint wait for it.
   */
  async tell(reported: readonly ReportedValue[]): Promise<void> {
    const [first] = reported
    if (first === undefined) return
    const domain = this.#domains.get(first.domainId) ?? new ReportedInDomain(first.domainId, this.#parts)
    this.#domains.set(first.domainId, domain)
    await domain.tell(reported).finally(() => {
      if (domain.isIdle && this.#domains.get(first.domainId) === domain) this.#domains.delete(first.domainId)
    })
  }
}

/** The reported values of a domain. Values that arrive while one statement runs share the next statement. */
class ReportedInDomain {
  readonly #domainId: number
  readonly #parts: ReportedParts
  #waiting = new Map<string, ReportedValue>()
  #next: Promise<ReadonlySet<string>> | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(domainId: number, parts: ReportedParts) {
    this.#domainId = domainId
    this.#parts = parts
  }

  get isIdle(): boolean {
    return this.#telling === 0
  }
  #telling = 0

  async tell(reported: readonly ReportedValue[]): Promise<void> {
    this.#telling += 1
    await this.#tellAll(reported).finally(() => (this.#telling -= 1))
  }

  async #tellAll(reported: readonly ReportedValue[]): Promise<void> {
    const end = performance.now() + this.#parts.longestLockMs
    let untold = reported
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      for (const one of untold) this.#collect(one)
      const locked = await this.#tellCollected()
      untold = untold.filter((one) => locked.has(keyOf(one)))
      if (untold.length === 0) return
      if (performance.now() >= end) throw new HoldfastError('UNAVAILABLE', LOCKED)
      await setTimeout(pause)
    }
  }

  /** Collects a reported value. If a series reports the same value several times, only the last time matters. */
  #collect(reported: ReportedValue): void {
    const key = keyOf(reported)
    const known = this.#waiting.get(key)
    if (known === undefined || known.at < reported.at) this.#waiting.set(key, reported)
  }

  /** Returns the keys of the values whose setpoints are locked. */
  #tellCollected(): Promise<ReadonlySet<string>> {
    if (this.#next === null) {
      this.#next = this.#last.then(() => this.#tell())
      this.#last = this.#next.catch(() => undefined)
    }
    return this.#next
  }

  async #tell(): Promise<ReadonlySet<string>> {
    // Let batches that were stored together share one statement.
    await new Promise(setImmediate)
    const reported = [...this.#waiting.values()]
    this.#waiting = new Map()
    this.#next = null
    const { database, now, changes } = this.#parts
    const { hasChanged, locked } = await applyReported(database, this.#domainId, reported, now())
    if (hasChanged) changes?.signal(this.#domainId, 'setpoints')
    return new Set(locked.map(keyOf))
  }
}

function keyOf({ componentUuid, serviceUuid, characteristicUuid, value }: ReportedValue): string {
  return `${componentUuid} ${serviceUuid} ${characteristicUuid} ${value}`
}

export function reportedValue(domainId: number, { entry, at, value }: ReportedSetting): ReportedValue {
  const { componentUuid, serviceUuid, characteristicUuid } = entry
  return { domainId, componentUuid, serviceUuid, characteristicUuid, value: valueText(entry.pair.rules, value), at }
}

/** The JSON text of a value, in the form of the API. Values of a characteristic are equal if their texts are. */
export function valueText(rules: ValueRules, value: StoredValue): string {
  return JSON.stringify(rules.show(value))
}
