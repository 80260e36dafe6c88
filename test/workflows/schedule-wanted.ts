import type { JsonObject } from '../../src/lib/json.ts'
import type { Settings } from '../../src/records/settings.ts'
import { grantKey, type Grant } from './schedule-texts.ts'

// What models want, and what there is, told without any plan.

/** What there is or shall be, by names of records. */
export type Wanted = ReadonlyMap<string, string>

interface Sent {
  readonly code: string
  readonly name: string
  readonly symbol?: string
  readonly characteristics?: readonly { readonly code: string }[]
}

interface Node {
  readonly alias: string
  readonly name: string
  readonly organizationUnits?: readonly Node[]
}

export function wantedBy(document: JsonObject, { access = [] }: Pick<Settings, 'access'>): Wanted {
  const list = <T>(type: string) => (document[type] ?? []) as unknown as readonly T[]
  return new Map([
    ...list<Sent>('characteristics').map(
      ({ code, name, symbol }) => [`characteristics/${code}`, `${name} ${symbol}`] as const,
    ),
    ...list<Sent>('services').flatMap(({ code, name, characteristics: links = [] }) => [
      [`services/${code}`, name] as const,
      ...links.map((link) => [`characteristicServiceLinks/${link.code}/${code}`, ''] as const),
    ]),
    ...list<Node>('organizations').flatMap(({ alias, name, organizationUnits: units = [] }) => [
      [`organizations/${alias}`, name] as const,
      ...units.map((unit) => [`organizations/${alias}/${unit.alias}`, unit.name] as const),
    ]),
    ...access.map((grant) => [`access/${grantKey(grant as unknown as Grant)}`, ''] as const),
  ])
}

/** The same of the bodies of a platform. */
export function foundOn(bodies: ReadonlyMap<string, string>): Wanted {
  const found = [...bodies].flatMap(([id, text]) => {
    const body = JSON.parse(text) as { readonly [field: string]: unknown }
    if (id.startsWith('characteristics/')) return [[id, `${String(body['name'])} ${String(body['symbol'])}`] as const]
    if (id.startsWith('services/') || id.startsWith('organizations/')) return [[id, String(body['name'])] as const]
    return [[id, ''] as const]
  })
  return new Map(found)
}

/** The names of records that are not the same in both. */
export function differing(one: Wanted, other: Wanted): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((id) => one.get(id) !== other.get(id))
}

/** The records that a record needs. */
export function neededBy(id: string): string[] {
  const [type, first = '', second = '', third = '', , place] = id.split('/')
  if (type === 'characteristicServiceLinks') return [`characteristics/${first}`, `services/${second}`]
  if (type === 'organizations') return second === '' ? [] : [`organizations/${first}`]
  if (type !== 'access') return []
  const node = second === 'organization' ? third : place?.replaceAll('~1', '/')
  return node === undefined ? [] : [`organizations/${node}`]
}

/** The records that need one of these. */
export function needing(own: readonly string[], ...states: readonly Wanted[]): string[] {
  const ids = states.flatMap((state) => [...state.keys()])
  return ids.filter((id) => neededBy(id).some((needed) => own.includes(needed)))
}

/** Tells whether a record is a grant, or a node that grants may be about. */
export function isOfAccess(id: string): boolean {
  return /^(access|organizations)\//.test(id)
}

export function pick<Item>(items: readonly Item[], nth: number): Item | undefined {
  return items[nth % items.length]
}
