import type { StoredValue, ValueRules } from '../../../datapoints/rules/value.ts'
import type { Database } from '../../../db/sql.ts'
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

export interface ReportedParts {
  readonly database: Database
  readonly changes?: ChangeSignals
  now(): Date
}

/**
 * Tells setpoints what devices report. Values that arrive while one statement runs are sent together by the next one.
 */
export class ReportedSettings {
  readonly #parts: ReportedParts
  #waiting = new Map<string, ReportedValue>()
  #next: Promise<void> | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(parts: ReportedParts) {
    this.#parts = parts
  }

  /**
   * Must be called when the points are stored. It rejects where setpoints were not told, and then the batch must be
   * sent again.
   */
  add(domainId: number, settings: readonly ReportedSetting[]): Promise<void> {
    for (const setting of settings) this.#collect(domainId, setting)
    if (this.#next === null) {
      this.#next = this.#last.then(() => this.#tell())
      this.#last = this.#next.catch(() => undefined)
    }
    return this.#next
  }

  /** Tells what was kept because the first try to tell it may have failed. */
  async tell(reported: readonly ReportedValue[]): Promise<void> {
    const { database, now, changes } = this.#parts
    for (const domainId of await applyReported(database, reported, now())) changes?.signal(domainId, 'setpoints')
  }

  /** Collects a reported value. If a series reports the same value several times, only the last time matters. */
  #collect(domainId: number, setting: ReportedSetting): void {
    const reported = reportedValue(domainId, setting)
    const key = `${setting.entry.id} ${reported.value}`
    const known = this.#waiting.get(key)
    if (known === undefined || known.at < reported.at) this.#waiting.set(key, reported)
  }

  async #tell(): Promise<void> {
    // Batches that were stored together are told together.
    await new Promise(setImmediate)
    const reported = [...this.#waiting.values()]
    this.#waiting = new Map()
    this.#next = null
    await this.tell(reported)
  }
}

export function reportedValue(domainId: number, { entry, at, value }: ReportedSetting): ReportedValue {
  const { componentUuid, serviceUuid, characteristicUuid } = entry
  return { domainId, componentUuid, serviceUuid, characteristicUuid, value: valueText(entry.pair.rules, value), at }
}

/** The JSON text of a value as the API shows it. Texts of one characteristic are equal where its values are. */
export function valueText(rules: ValueRules, value: StoredValue): string {
  return JSON.stringify(rules.show(value))
}
