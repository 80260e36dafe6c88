import { missingRight, type Caller } from '../../auth/require-right.ts'
import type { Right } from '../../auth/scopes.ts'

/** The areas, in the order of the bar. */
export const AREA_NAMES = ['home', 'systems', 'model', 'applies', 'people', 'access'] as const

export type AreaName = (typeof AREA_NAMES)[number]

/** A part of the console, as the bar shows it to those who may see something there. */
export interface Area {
  readonly label: string
  readonly href: string
  readonly right: Right
  /** Whether the right is enough within an organization, as it is for the first page of the area. */
  readonly keepsWithin: boolean
  /** The letter that leads there after `g`. */
  readonly key: string
}

export const AREAS: { readonly [name in AreaName]: Area } = {
  home: { label: 'Home', href: '/', right: 'domain:read', keepsWithin: true, key: 'h' },
  systems: { label: 'Systems', href: '/systems', right: 'data:read', keepsWithin: true, key: 's' },
  model: { label: 'Model', href: '/model', right: 'model:read', keepsWithin: true, key: 'm' },
  applies: { label: 'Applies', href: '/applies', right: 'model:read', keepsWithin: false, key: 'a' },
  people: { label: 'People', href: '/organizations', right: 'model:read', keepsWithin: true, key: 'p' },
  access: {
    label: 'Access',
    href: '/application-consumers',
    right: 'model:read',
    keepsWithin: false,
    key: 'x',
  },
}

/** The areas of which the person may see something. */
export function areasOf(caller: Caller): readonly AreaName[] {
  return AREA_NAMES.filter((name) => {
    const { label, right, keepsWithin } = AREAS[name]
    return missingRight(label, right, caller, keepsWithin) === null
  })
}

/** What people type where the label of an area is not its address. */
export const AREA_ALIASES = [
  ['/people', AREAS.people.href],
  ['/access', AREAS.access.href],
] as const
