import type { SupportedPair } from '../../../store/systems/component-support.ts'
import { latestBatch } from '../ingest/batch-times.ts'
import { KeptTimes } from '../retention/kept-times.ts'
import type { Retentions } from '../retention/retentions.ts'
import { BYTES, CacheRoom } from './cache-room.ts'
import { KnownDefinitions } from './known-definitions.ts'
import { KnownModel, type KnownPair, written } from './known-models.ts'
import { SeriesEntry, type KnownComponent, type KnownSystem } from './series-entry.ts'

/** The inputs of an entry, in the cache's version of the model. */
interface NewSeriesEntry {
  readonly id: number
  readonly systemUuid: string
  readonly unitUuid: string | null
  readonly componentUuid: string
  readonly modelUuid: string
  readonly pair: SupportedPair
  readonly keep: string | null
}

/** The changes of the model. */
export interface ModelChanges {
  readonly version: number
  /** The identity of the database and the node. */
  readonly identity: string
  /** Whether all earlier knowledge is invalid. */
  readonly isAnew: boolean
  /** The systems whose entries are invalid. */
  readonly systems: readonly string[]
  /** The present support of the known models; null if no record has changed. */
  readonly definitions: {
    readonly models: ReadonlyMap<string, readonly SupportedPair[]>
    readonly retentions: Retentions
  } | null
}

/** The series of one domain for which points were written, as of one version of its model. */
export class DomainSeries {
  readonly keptTimes = new KeptTimes()
  /** The definitions for look-ups, of all domains. */
  readonly definitions: KnownDefinitions
  readonly #systems = new Map<string, KnownSystem>()
  readonly #components = new Map<string, KnownComponent>()
  #models = new Map<string, KnownModel>()
  readonly #room: CacheRoom
  #version = -1
  #identity = ''
  readonly #steps = new ModelSteps()

  /** All domains of the process share `room` and `definitions`. */
  constructor(room = new CacheRoom(), definitions = new KnownDefinitions()) {
    this.#room = room
    this.definitions = definitions
  }

  /** The version of the model that all entries match. */
  get version(): number {
    return this.#version
  }

  get isEmpty(): boolean {
    return this.#systems.size === 0
  }

  /** The identity of the database that the entries belong to. */
  get identity(): string {
    return this.#identity
  }

  /** Tells whether a look-up of these systems in another version is still valid in this one. */
  holds(version: number, systems: readonly string[]): boolean {
    return this.#steps.holds(version, systems)
  }

  get models(): readonly string[] {
    return [...this.#models.keys()]
  }

  /** Finds an entry by uuids in their stored form (lower case). A uuid that is found is valid, so none is parsed. */
  find(component: unknown, characteristic: unknown, service: unknown, system: unknown): SeriesEntry | undefined {
    const known = this.#components.get(component as string)
    if (known === undefined || known.system.uuid !== system) return undefined
    const pair = known.model.find(characteristic as string, service)
    return pair === undefined ? undefined : known.series[pair.place]
  }

  /**
   * Finds an entry like `find`. `last` is the entry found before it. Devices repeat their points in the same order, and
   * comparing texts takes a third of a look-up.
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
      !guess.isGone &&
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

  add({ id, pair, keep, ...of }: NewSeriesEntry): void {
    const component = this.#componentOf(of)
    const { model, series } = component
    let known = model.find(pair.characteristicUuid, pair.serviceUuid)
    if (known === undefined) {
      known = model.add(pair, this.keptTimes.of(keep))
      this.#room.take(BYTES.pair)
    }
    if (series[known.place] !== undefined) return
    series[known.place] = new SeriesEntry(id, component, known)
    component.since = latestBatch()
    this.#room.take(BYTES.series)
    this.#room.evict(component)
  }

  #componentOf({ componentUuid, modelUuid, ...of }: Omit<NewSeriesEntry, 'id' | 'pair' | 'keep'>): KnownComponent {
    const known = this.#components.get(componentUuid)
    if (known !== undefined) return known
    const system = this.#systemOf(of)
    const model = this.#models.get(modelUuid) ?? new KnownModel(modelUuid)
    this.#models.set(modelUuid, model)
    const made: KnownComponent = { ...written(componentUuid), system, model, series: [], since: 0, place: 0 }
    this.#room.add(made)
    system.components.push(made)
    this.#components.set(componentUuid, made)
    return made
  }

  #systemOf({ systemUuid, unitUuid }: Pick<NewSeriesEntry, 'systemUuid' | 'unitUuid'>): KnownSystem {
    const known = this.#systems.get(systemUuid)
    if (known !== undefined) return known
    const made: KnownSystem = { ...written(systemUuid), unitUuid, components: [], home: this }
    if (this.isEmpty) this.#room.take(BYTES.domain)
    this.#systems.set(systemUuid, made)
    this.#room.take(BYTES.system)
    return made
  }

  /** Moves on to another version. Entries keep their numbers, except for those that are invalid now. */
  follow({ version, identity, isAnew, systems, definitions }: ModelChanges): void {
    this.#version = version
    this.#identity = identity
    if (isAnew || definitions !== null) this.#steps.begin(version)
    else this.#steps.add(version, systems)
    if (isAnew) this.#forget()
    for (const uuid of systems) this.#dropSystem(uuid)
    if (definitions !== null) this.#define(definitions)
  }

  #define({ models, retentions }: NonNullable<ModelChanges['definitions']>): void {
    const kept = ({ characteristicUuid }: SupportedPair) => this.keptTimes.of(retentions.keepOf(characteristicUuid))
    const closed = [...this.#models.values()].flatMap((model) => model.follow(models.get(model.uuid) ?? [], kept))
    this.#room.take(-closed.length * BYTES.pair)
    if (closed.length > 0) this.#dropPairs(new Set(closed))
  }

  #dropSystem(uuid: string): void {
    const { components = [] } = this.#systems.get(uuid) ?? {}
    // The last one first, because the others need not move then.
    for (const component of components.toReversed()) this.evict(component)
  }

  /** Drops a component, and its system and the known models with the last one. */
  evict(component: KnownComponent): void {
    const { uuid, system, series } = component
    this.#components.delete(uuid)
    this.#room.remove(component)
    for (const entry of series) this.#drop(entry)
    system.components.splice(system.components.lastIndexOf(component), 1)
    if (system.components.length > 0) return
    this.#systems.delete(system.uuid)
    this.#room.take(-BYTES.system)
    if (!this.isEmpty) return
    this.#room.take(-BYTES.domain)
    for (const { size } of this.#models.values()) this.#room.take(-size * BYTES.pair)
    this.#models = new Map()
  }

  #dropPairs(pairs: ReadonlySet<KnownPair>): void {
    for (const { series } of this.#components.values())
      for (const entry of series) {
        if (entry === undefined || !pairs.has(entry.pair)) continue
        series[entry.pair.place] = undefined
        this.#drop(entry)
      }
  }

  #drop(entry: SeriesEntry | undefined): void {
    if (entry === undefined) return
    entry.isGone = true
    // Otherwise one entry would keep a chain of dropped ones in memory.
    entry.usuallyNext = undefined
    this.#room.take(-BYTES.series)
  }

  #forget(): void {
    for (const uuid of this.#systems.keys()) this.#dropSystem(uuid)
  }
}

/** The number of domains after which those without entries are forgotten. `CacheRoom` limits the others. */
const MANY_DOMAINS = 10_000

export class SeriesCache {
  readonly #domains = new Map<number, DomainSeries>()
  readonly #definitions = new KnownDefinitions()
  readonly #room: CacheRoom
  readonly #many: number

  constructor(room = new CacheRoom(), many = MANY_DOMAINS) {
    this.#room = room
    this.#many = many
  }

  of(domainId: number): DomainSeries {
    const known = this.#domains.get(domainId) ?? new DomainSeries(this.#room, this.#definitions)
    this.#domains.set(domainId, known)
    if (this.#domains.size > this.#many) this.#forgetSome()
    return known
  }

  get size(): number {
    return this.#domains.size
  }

  /** Forgets the next two domains if they have no entries. Each domain gets its turn. */
  #forgetSome(): void {
    for (const [domainId, next] of this.#domains.entries().take(2).toArray()) {
      this.#domains.delete(domainId)
      if (!next.isEmpty) this.#domains.set(domainId, next)
    }
  }
}

interface Step {
  readonly version: number
  readonly systems: ReadonlySet<string>
}

/** The number of steps that are remembered. Older look-ups are repeated. */
const MOST_STEPS = 100

/**
 * The last steps from one version of a model to the next. They decide whether a look-up made in between is still valid.
 */
class ModelSteps {
  #steps: Step[] = []
  /** No look-up up to this version is known to be valid. */
  #since = Infinity

  /** Notes a step that makes all earlier look-ups invalid. */
  begin(version: number): void {
    this.#steps = []
    this.#since = version
  }

  /** Notes a step that makes only the look-ups of these systems invalid. */
  add(version: number, systems: readonly string[]): void {
    this.#steps.push({ version, systems: new Set(systems) })
    if (this.#steps.length > MOST_STEPS) this.#since = this.#steps.shift()?.version ?? version
  }

  /** Tells whether a look-up of these systems in a version is valid after the last step. */
  holds(version: number, systems: readonly string[]): boolean {
    if (version < this.#since) return false
    const later = this.#steps.filter((step) => step.version > version)
    return later.every((step) => !systems.some((uuid) => step.systems.has(uuid)))
  }
}
