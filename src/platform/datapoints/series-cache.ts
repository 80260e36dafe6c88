import { JsonLiteral } from '../../datapoints/wire/json-literal.ts'
import type { ValueRules } from '../../datapoints/rules/value.ts'
import { KeptTimes, type KeptTime } from '../retention/kept-times.ts'

/** What is known about a series that points may be written to. */
export interface SeriesEntry {
  readonly id: number
  readonly systemUuid: string
  /** The unit of the system, in the same version of the model. */
  readonly unitUuid: string | null
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
  /** The index into KINDS. */
  readonly kind: number
  readonly rules: ValueRules
  /** Whether people set it, so that a reported value may fulfil a setpoint. */
  readonly isSetting: boolean
  readonly kept: KeptTime
  /** Its uuids as literals of a body, in the order of UUID_FIELDS. */
  readonly written: readonly JsonLiteral[]
  /** The next entry with the same component and characteristic. */
  readonly next: SeriesEntry | undefined
  /** The entry that came after this one in the last batch that was read. */
  usuallyNext: SeriesEntry | undefined
  /**
   * The number of the batch that is being read, and its points of this series
   * (src/platform/datapoints/batch-times.ts).
   */
  batch: number
  arrivals: number
  earliest: number
  latest: number
}

/** What an entry is made from. */
export type NewSeriesEntry = Omit<
  SeriesEntry,
  'written' | 'next' | 'usuallyNext' | 'batch' | 'arrivals' | 'earliest' | 'latest'
>

/** An entry takes some hundred bytes. Beyond this number, a domain's cache begins anew. */
const MOST_ENTRIES = 500_000

/** The series of one domain that points were written to, valid for one version of its model. */
export class DomainSeries {
  readonly keptTimes = new KeptTimes()
  #components = new Map<string, Map<string, SeriesEntry>>()
  /** Each uuid once, because many series share theirs. */
  #written = new Map<string, JsonLiteral>()
  #size = 0
  /** The version of the model that all entries were made from. */
  #version = -1

  get version(): number {
    return this.#version
  }

  /** Finds an entry by uuids in their stored form, in lower case. A found uuid is valid, so none is parsed. */
  find(component: unknown, characteristic: unknown, service: unknown, system: unknown): SeriesEntry | undefined {
    let entry = this.#components.get(component as string)?.get(characteristic as string)
    while (entry !== undefined && (entry.serviceUuid !== service || entry.systemUuid !== system)) entry = entry.next
    return entry
  }

  /**
   * Finds an entry like `find`, where `last` is the entry found before it. Devices send their points in the same
   * order again and again, and comparing texts costs a third of a look-up.
   */
  findAfter(
    last: SeriesEntry | undefined,
    component: unknown,
    characteristic: unknown,
    service: unknown,
    system: unknown,
  ): SeriesEntry | undefined {
    const guess = last?.usuallyNext
    if (
      guess !== undefined &&
      guess.componentUuid === component &&
      guess.characteristicUuid === characteristic &&
      guess.serviceUuid === service &&
      guess.systemUuid === system
    )
      return guess
    const found = this.find(component, characteristic, service, system)
    if (last !== undefined) last.usuallyNext = found
    return found
  }

  add(entry: NewSeriesEntry): void {
    if (this.#size >= MOST_ENTRIES) this.forget(this.#version)
    const { characteristicUuid, componentUuid, serviceUuid, systemUuid } = entry
    const characteristics = this.#components.get(componentUuid) ?? new Map<string, SeriesEntry>()
    this.#components.set(componentUuid, characteristics)
    characteristics.set(characteristicUuid, {
      ...entry,
      written: [characteristicUuid, componentUuid, serviceUuid, systemUuid].map((uuid) => this.#literalOf(uuid)),
      next: characteristics.get(characteristicUuid),
      usuallyNext: undefined,
      batch: 0,
      arrivals: 0,
      earliest: Infinity,
      latest: -Infinity,
    })
    this.#size += 1
  }

  #literalOf(uuid: string): JsonLiteral {
    const known = this.#written.get(uuid) ?? new JsonLiteral(uuid)
    this.#written.set(uuid, known)
    return known
  }

  /** Drops all entries and begins with this version of the model. */
  forget(version: number): void {
    this.#components = new Map()
    this.#written = new Map()
    this.#size = 0
    this.#version = version
  }
}

export class SeriesCache {
  readonly #domains = new Map<number, DomainSeries>()

  of(domainId: number): DomainSeries {
    const known = this.#domains.get(domainId) ?? new DomainSeries()
    this.#domains.set(domainId, known)
    return known
  }
}
