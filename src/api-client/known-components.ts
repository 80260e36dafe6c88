import { nameSome } from '../lib/counted.ts'
import { escapePart } from '../lib/pointer.ts'
import type { Operations } from '../../generated/client-operations.ts'
import { ApiError } from './api-error.ts'
import type { SeriesName } from './model.ts'

export type Found = Operations['Supports']['data']['components']['nodes'][number]

export type Support = Found['supports'][number]

/** A characteristic of a component. */
export interface KnownSupport extends Support {
  readonly component: KnownComponent
}

/** A component with what it supports, by path. */
export interface KnownComponent extends Omit<Found, 'supports'> {
  readonly supports: ReadonlyMap<string, Support>
}

/** The maximum number of components that a client remembers. */
const MOST_KNOWN = 10_000
/** The items of the largest page. */
const MOST_IN_REQUEST = 1_000
const MOST_SHOWN = 5

export function pathOf({ service, characteristic }: Pick<Support, 'service' | 'characteristic'>): string {
  return `${escapePart(service)}/${escapePart(characteristic)}`
}

type LookUp = (uuids: readonly string[]) => Promise<readonly Found[]>

export interface Finding {
  readonly component?: KnownComponent | undefined
  readonly support?: Support | undefined
}

/** A characteristic that somebody looks for. */
export interface Wanted {
  readonly component: string
  choose(component: KnownComponent): Support | undefined
}

/** Looks components up once. The oldest ones are forgotten if there are too many. */
export class KnownComponents {
  readonly #lookUp: LookUp
  readonly #known = new Map<string, Promise<KnownComponent | undefined>>()

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp
  }

  forget(uuids: Iterable<string>): void {
    for (const uuid of uuids) this.#known.delete(uuid)
  }

  async one(uuid: string): Promise<KnownComponent> {
    const component = (await this.#get([uuid])).get(uuid)
    if (component === undefined) throw unknownComponent(uuid)
    return component
  }

  /** Returns the characteristics of series, in their order. */
  async supports(series: readonly SeriesName[]): Promise<readonly KnownSupport[]> {
    const found = await this.find(series.map(wantedOf))
    return series.map((one, index) => supportOf(one, found[index]))
  }

  async support(series: SeriesName): Promise<KnownSupport> {
    const [found] = await this.find([wantedOf(series)])
    return supportOf(series, found)
  }

  /** Finds the characteristics that there are. It looks the others up again together, as the model may have changed. */
  async find(wanted: readonly Wanted[]): Promise<readonly Finding[]> {
    const uuids = wanted.map(({ component }) => component)
    const old = new Set(uuids.filter((uuid) => this.#known.has(uuid)))
    const components = await this.#get(uuids)
    const find = ({ component: uuid, choose }: Wanted): Finding => {
      const component = components.get(uuid)
      return { component, support: component === undefined ? undefined : choose(component) }
    }
    const stale = wanted.filter((one) => old.has(one.component) && find(one).support === undefined)
    const again = stale.map(({ component }) => component)
    this.forget(again)
    for (const [uuid, component] of await this.#get(again)) components.set(uuid, component)
    return wanted.map(find)
  }

  /** Returns the components that there are. It looks the unknown ones up together. */
  async #get(uuids: readonly string[]): Promise<Map<string, KnownComponent>> {
    const all = [...new Set(uuids)]
    const unknown = all.filter((uuid) => !this.#known.has(uuid))
    for (let at = 0; at < unknown.length; at += MOST_IN_REQUEST) this.#load(unknown.slice(at, at + MOST_IN_REQUEST))
    const asked = all.map((uuid) => this.#known.get(uuid) ?? Promise.resolve(undefined))
    for (const uuid of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(uuid)
    }
    const found = (await Promise.all(asked)).filter((one) => one !== undefined)
    return new Map(found.map((one) => [one.uuid, one]))
  }

  #load(uuids: readonly string[]): void {
    const answer = this.#lookUp(uuids).then((found) => new Map(found.map((one) => [one.uuid, known(one)])))
    for (const uuid of uuids) {
      const found = answer.then((components) => components.get(uuid))
      this.#known.set(uuid, found)
      const forget = (component?: unknown): void => {
        if (!component && this.#known.get(uuid) === found) this.#known.delete(uuid)
      }
      found.then(forget, () => forget())
    }
  }
}

function known({ supports, ...component }: Found): KnownComponent {
  return { ...component, supports: new Map(supports.map((one) => [pathOf(one), one])) }
}

function unknownComponent(uuid: string): ApiError {
  return new ApiError('NOT_FOUND', `there is no component ${uuid}, or not for this account`)
}

export function wantedOf({ component, path }: SeriesName): Wanted {
  return { component: component.toLowerCase(), choose: ({ supports }) => supports.get(path) }
}

function supportOf(series: SeriesName, { component, support }: Finding = {}): KnownSupport {
  if (component === undefined) throw unknownComponent(series.component)
  if (support === undefined) throw unknownPath(component, series.path)
  return { ...support, component }
}

function unknownPath({ uuid, supports }: KnownComponent, path: string): ApiError {
  const paths = nameSome([...supports.keys()], MOST_SHOWN) || 'none'
  const message = `the component ${uuid} has no path ${JSON.stringify(path)}; its paths are: ${paths}`
  return new ApiError('NOT_FOUND', message)
}
