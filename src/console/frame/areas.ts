import { missingRight, type Caller } from '../../auth/require-right.ts'
import type { Right } from '../../auth/scopes.ts'

/** The areas, in the order of the bar. */
export const AREA_NAMES = ['home', 'systems', 'model', 'applies', 'people', 'access'] as const

export type AreaName = (typeof AREA_NAMES)[number]

/** A part of the console. The bar shows it to everybody who may see something in it. */
export interface Area {
  readonly label: string
  readonly href: string
  readonly right: Right
  readonly orRight?: Right
  /** Whether a role within an organization is enough, as for the first page of the area. */
  readonly keepsWithin: boolean
  /** The key that leads to the area after `g`. */
  readonly key: string
}

/** The rights to see data or the model. A person without a role has neither. */
export const SEES_ANYTHING = { right: 'data:read', orRight: 'model:read' } as const

export const AREAS: { readonly [name in AreaName]: Area } = {
  home: { label: 'Home', href: '/', ...SEES_ANYTHING, keepsWithin: true, key: 'h' },
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

/** The right that lets the person see something that accepts two rights. */
export function rightOf({ right, orRight }: Pick<Area, 'right' | 'orRight'>, caller: Caller): Right {
  const isHeld = (one: Right) => caller.rights.has(one) || caller.rightsWithin.has(one)
  return orRight !== undefined && isHeld(orRight) && !isHeld(right) ? orRight : right
}

/** The areas in which the person may see something. */
export function areasOf(caller: Caller): readonly AreaName[] {
  return AREA_NAMES.filter((name) => {
    const { label, keepsWithin } = AREAS[name]
    return missingRight(label, rightOf(AREAS[name], caller), caller, keepsWithin) === null
  })
}

/** Addresses that people guess from the label of an area, if they differ from its real address. */
export const AREA_ALIASES = [
  ['/people', AREAS.people.href],
  ['/access', AREAS.access.href],
] as const
