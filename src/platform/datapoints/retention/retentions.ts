import { earliestKept } from '../../../datapoints/retention-time.ts'
import type { LimitsOfCharacteristics } from '../../../store/datapoints/packed/blocks.ts'
import type { Kept } from '../../../store/datapoints/retention.ts'

/** The retention of each characteristic of a domain. A characteristic's own precedes the domain's. */
export class Retentions {
  readonly #keeps: ReadonlyMap<string | null, string | null>

  constructor(stored: readonly Kept[]) {
    this.#keeps = new Map(stored.map(({ characteristicUuid, keep }) => [characteristicUuid, keep]))
  }

  /** The retention of a characteristic; null if it is unlimited. */
  keepOf(characteristicUuid: string): string | null {
    const own = this.#keeps.get(characteristicUuid)
    return own === undefined ? (this.#keeps.get(null) ?? null) : own
  }

  /** The earliest time within the retention, in microseconds since 1970. */
  earliestOf(characteristicUuid: string, now: number): number {
    return earliestKept(this.keepOf(characteristicUuid), now)
  }

  /** The characteristics with their own retention, and null for all others. */
  get named(): readonly (string | null)[] {
    return [...new Set([null, ...this.#keeps.keys()])]
  }

  /** The earliest time within the retention of all characteristics without their own. */
  earliestOfOthers(now: number): number {
    return earliestKept(this.#keeps.get(null) ?? null, now)
  }

  /** The earliest times within the retentions. */
  limits(now: number): LimitsOfCharacteristics {
    const named = [...this.#keeps].flatMap(([uuid, keep]) =>
      uuid === null ? [] : { uuid, before: earliestKept(keep, now) },
    )
    return { named, others: this.earliestOfOthers(now) }
  }

  /** Whether all retentions are unlimited. */
  get isEndless(): boolean {
    return [...this.#keeps.values()].every((keep) => keep === null)
  }

  with(changed: Kept): Retentions {
    const keeps = new Map(this.#keeps).set(changed.characteristicUuid, changed.keep)
    return Retentions.#of(keeps)
  }

  without(characteristicUuid: string): Retentions {
    const keeps = new Map(this.#keeps)
    keeps.delete(characteristicUuid)
    return Retentions.#of(keeps)
  }

  static #of(keeps: ReadonlyMap<string | null, string | null>): Retentions {
    return new Retentions([...keeps].map(([characteristicUuid, keep]) => ({ characteristicUuid, keep })))
  }

  equals(other: Retentions): boolean {
    const [mine, theirs] = [this.#keeps, other.#keeps]
    return mine.size === theirs.size && [...mine].every(([uuid, keep]) => theirs.get(uuid) === keep && theirs.has(uuid))
  }
}
