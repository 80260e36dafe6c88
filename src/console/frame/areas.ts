import type { Right } from '../../auth/scopes.ts'

/** In the order of the bar. */
export const AREA_NAMES = ['home', 'systems', 'model', 'applies', 'people', 'access'] as const

export type AreaName = (typeof AREA_NAMES)[number]

/** A part of the console, as the bar shows it to those who may see something there. */
export interface Area {
  readonly label: string
  readonly href: string
  readonly right: Right
  /** The letter that leads there after `g`. */
  readonly key: string
}

export const AREAS: { readonly [name in AreaName]: Area } = {
  home: { label: 'Home', href: '/', right: 'domain:read', key: 'h' },
  systems: { label: 'Systems', href: '/systems', right: 'data:read', key: 's' },
  model: { label: 'Model', href: '/model', right: 'model:read', key: 'm' },
  applies: { label: 'Applies', href: '/applies', right: 'model:read', key: 'a' },
  people: { label: 'People', href: '/organizations', right: 'model:read', key: 'p' },
  access: { label: 'Access', href: '/application-consumers', right: 'model:read', key: 'x' },
}

/** What people type where the label of an area is not its address. */
export const AREA_ALIASES = [
  ['/people', AREAS.people.href],
  ['/access', AREAS.access.href],
] as const
