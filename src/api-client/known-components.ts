import { nameSome } from '../lib/counted.ts'
import { escapePart } from '../lib/pointer.ts'
import type { Operations } from '../../generated/client-operations.ts'
import { ApiError } from './api-error.ts'
import type { Call, Connection } from './connection.ts'
import { DOCUMENTS } from './documents.ts'

type Found = Operations['Supports']['data']['components']['nodes'][number]

export type Support = Found['supports'][number]

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

/** Looks components up once. The oldest ones are forgotten if there are too many. */
export class KnownComponents {
  readonly #connection: Connection
  readonly #known = new Map<string, Promise<KnownComponent>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  forget(uuids: Iterable<string>): void {
    for (const uuid of uuids) this.#known.delete(uuid)
  }

  /** Returns the components in the order of their uuids. It looks the unknown ones up together. */
  async all(uuids: readonly string[], call: Call): Promise<readonly KnownComponent[]> {
    const unknown = [...new Set(uuids.filter((uuid) => !this.#known.has(uuid)))]
    for (let at = 0; at < unknown.length; at += MOST_IN_REQUEST)
      this.#load(unknown.slice(at, at + MOST_IN_REQUEST), call)
    const wanted = uuids.map((uuid) => this.#known.get(uuid) ?? Promise.reject(unknownComponent(uuid)))
    for (const uuid of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(uuid)
    }
    return Promise.all(wanted)
  }

  /** Returns a characteristic of a component. It looks again before it throws, because the model may have changed. */
  async one(uuid: string, path: string, call: Call): Promise<readonly [KnownComponent, Support]> {
    const isFresh = !this.#known.has(uuid)
    const [component] = await this.all([uuid], call)
    const support = component?.supports.get(path)
    if (component !== undefined && support !== undefined) return [component, support]
    if (isFresh || component === undefined) throw unknownPath(uuid, path, component)
    this.forget([uuid])
    return this.one(uuid, path, call)
  }

  /** Returns the path of two uuids; null if the component does not support them any more. */
  async pathOf(uuid: string, service: string, characteristic: string, call: Call): Promise<string | null> {
    const isFresh = !this.#known.has(uuid)
    const [component] = await this.all([uuid], call)
    for (const [path, { serviceUuid, characteristicUuid }] of component?.supports ?? [])
      if (serviceUuid === service && characteristicUuid === characteristic) return path
    if (isFresh) return null
    this.forget([uuid])
    return this.pathOf(uuid, service, characteristic, call)
  }

  #load(uuids: readonly string[], call: Call): void {
    const asked = this.#connection.query(DOCUMENTS.Supports, { components: uuids }, call)
    const answer = asked.then(({ components: { nodes } }) => new Map(nodes.map((one) => [one.uuid, known(one)])))
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

function unknownPath(uuid: string, path: string, component: KnownComponent | undefined): ApiError {
  const paths = nameSome([...(component?.supports.keys() ?? [])], MOST_SHOWN) || 'none'
  const message = `the component ${uuid} has no path ${JSON.stringify(path)}; its paths are: ${paths}`
  return new ApiError('NOT_FOUND', message)
}
