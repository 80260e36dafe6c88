import { JsonLiteral } from '../../datapoints/wire/json-literal.ts'
import type { ValueRules } from '../../datapoints/rules/value.ts'
import { KeptTimes, type KeptTime } from '../retention/kept-times.ts'

/** What is known of a series that points may be written to. */
export interface SeriesEntry {
  readonly id: number
  readonly systemUuid: string
  /** Of the system, in the same version of the model. */
  readonly unitUuid: string | null
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
  /** Index of KINDS. */
  readonly kind: number
  readonly rules: ValueRules
  /** Whether people set it: what a device reports may be what a setpoint wants. */
  readonly isSetting: boolean
  readonly kept: KeptTime
  /** Its uuids as they stand in a body, in the order of UUID_FIELDS. */
  readonly written: readonly JsonLiteral[]
  /** Another one of the same component and characteristic. */
  readonly next: SeriesEntry | undefined
  /** The one that came after it in the last batch that was read. */
  follower: SeriesEntry | undefined
  /** Of the batch that is being read (src/platform/datapoints/batch-times.ts): which, and its points of this series. */
  batch: number
  arrivals: number
  earliest: number
  latest: number
}

/** What an entry is made from. */
export type NewSeriesEntry = Omit<
  SeriesEntry,
  'written' | 'next' | 'follower' | 'batch' | 'arrivals' | 'earliest' | 'latest'
>

/** Entries take some hundred bytes each. Beyond this a domain begins anew. */
const MOST_ENTRIES = 500_000

/** The series of one domain that points were written to, as long as its model is the same. */
export class DomainSeries {
  readonly keptTimes = new KeptTimes()
  #components = new Map<string, Map<string, SeriesEntry>>()
  /** Each uuid once: many series share theirs. */
  #written = new Map<string, JsonLiteral>()
  #size = 0
  /** Of the model that all entries were made from. */
  #version = -1

  get version(): number {
    return this.#version
  }

  /** Uuids as they are stored, in lower case. Whatever is found is valid, so no uuid is parsed. */
  find(component: unknown, characteristic: unknown, service: unknown, system: unknown): SeriesEntry | undefined {
    let entry = this.#components.get(component as string)?.get(characteristic as string)
    while (entry !== undefined && (entry.serviceUuid !== service || entry.systemUuid !== system)) entry = entry.next
    return entry
  }

  /**
   * The same, where `last` is what was found before it. Devices send their points in the same order again and again, and
   * to compare texts costs a third of looking them up.
   */
  findAfter(
    last: SeriesEntry | undefined,
    component: unknown,
    characteristic: unknown,
    service: unknown,
    system: unknown,
  ): SeriesEntry | undefined {
    const guess = last?.follower
    if (
      guess !== undefined &&
      guess.componentUuid === component &&
      guess.characteristicUuid === characteristic &&
      guess.serviceUuid === service &&
      guess.systemUuid === system
    )
      return guess
    const found = this.find(component, characteristic, service, system)
    if (last !== undefined) last.follower = found
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
      follower: undefined,
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

  /** Nothing of what is known may be used with the model of this version. */
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
