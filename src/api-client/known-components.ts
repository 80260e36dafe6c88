import { nameSome } from '../lib/counted.ts'
import { escapePart } from '../lib/pointer.ts'
import type { Operations } from '../../generated/client-operations.ts'
import { ApiError } from './api-error.ts'

export type Found = Operations['Supports']['data']['components']['nodes'][number]

type Support = Found['supports'][number]

/** A characteristic of a component. */
export interface KnownSupport extends Support {
  readonly component: KnownComponent
}

/** A component with what it supports, by path. */
export interface KnownComponent extends Omit<Found, 'supports'> {
  readonly supports: ReadonlyMap<string, Support>
}

/** The most components that a client remembers. */
const MOST_KNOWN = 10_000
/** The items of the largest page. */
const MOST_IN_REQUEST = 1_000
const MOST_SHOWN = 5

export function pathOf({ service, characteristic }: Pick<Support, 'service' | 'characteristic'>): string {
  return `${escapePart(service)}/${escapePart(characteristic)}`
}

type LookUp = (uuids: readonly string[]) => Promise<readonly Found[]>

/** Looks components up once. The oldest ones are forgotten if there are too many. */
export class KnownComponents {
  readonly #lookUp: LookUp
  readonly #known = new Map<string, Promise<KnownComponent>>()

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp
  }

  forget(uuids: Iterable<string>): void {
    for (const uuid of uuids) this.#known.delete(uuid)
  }

  /** Returns the components in the order of their uuids. It looks the unknown ones up together. */
  async all(uuids: readonly string[]): Promise<readonly KnownComponent[]> {
    const unknown = [...new Set(uuids.filter((uuid) => !this.#known.has(uuid)))]
    for (let at = 0; at < unknown.length; at += MOST_IN_REQUEST) this.#load(unknown.slice(at, at + MOST_IN_REQUEST))
    const wanted = uuids.map((uuid) => this.#known.get(uuid) ?? Promise.reject(unknownComponent(uuid)))
    for (const uuid of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(uuid)
    }
    return Promise.all(wanted)
  }

  /** Returns a characteristic of a component. */
  async one(uuid: string, path: string): Promise<KnownSupport> {
    const found = await this.find(uuid, (one) => pathOf(one) === path)
    if (found !== null) return found
    const [component] = await this.all([uuid])
    const paths = nameSome([...(component?.supports.keys() ?? [])], MOST_SHOWN) || 'none'
    const message = `the component ${uuid} has no path ${JSON.stringify(path)}; its paths are: ${paths}`
    throw new ApiError('NOT_FOUND', message)
  }

  /** Finds a characteristic. If there is none, it looks the component up again, because the model may have changed. */
  async find(uuid: string, isMeant: (support: Support) => boolean): Promise<KnownSupport | null> {
    const isFresh = !this.#known.has(uuid)
    const [component] = await this.all([uuid])
    const support = component?.supports.values().find(isMeant)
    if (component !== undefined && support !== undefined) return { ...support, component }
    if (isFresh) return null
    this.forget([uuid])
    return this.find(uuid, isMeant)
  }

  #load(uuids: readonly string[]): void {
    const answer = this.#lookUp(uuids).then((found) => new Map(found.map((one) => [one.uuid, known(one)])))
    for (const uuid of uuids) {
      const found = answer.then((components) => {
        const component = components.get(uuid)
        if (component === undefined) throw unknownComponent(uuid)
        return component
      })
      this.#known.set(uuid, found)
      found.catch(() => {
        if (this.#known.get(uuid) === found) this.#known.delete(uuid)
      })
    }
  }
}

function known({ supports, ...component }: Found): KnownComponent {
  return { ...component, supports: new Map(supports.map((one) => [pathOf(one), one])) }
}

function unknownComponent(uuid: string): ApiError {
  return new ApiError('NOT_FOUND', `there is no component ${uuid}, or not for this account`)
}
