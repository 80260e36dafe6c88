import { HoldfastError } from '../../lib/errors.ts'
import type { Actor } from '../access/grants/actor.ts'

/**
 * Which systems an actor may touch, with all that belongs to them: a device its own, and whoever has a role within
 * organizations or units those of these. Everybody else touches all, as far as their rights go.
 */
export type Reach = Pick<Actor, 'systemUuid' | 'units'>

export const EVERYWHERE: Reach = { systemUuid: null, units: null }

/** What belongs to a system. */
export interface Placed {
  readonly systemUuid: string
  /** The organization or unit of the system; what belongs to none is within none. */
  readonly unitUuid: string | null
}

export function reaches(reach: Reach, { systemUuid, unitUuid }: Placed): boolean {
  return (reach.systemUuid === null || reach.systemUuid === systemUuid) && isWithin(reach, unitUuid)
}

/** Whether the units of somebody hold this one. */
export function isWithin({ units }: Pick<Reach, 'units'>, unitUuid: string | null): boolean {
  return units === null || (unitUuid !== null && units.includes(unitUuid))
}

/** Null where all may be touched: so that only the others pay for asking. */
export function boundsOf(reach: Reach): Reach | null {
  return reach.systemUuid === null && reach.units === null ? null : reach
}

export interface SystemNames {
  readonly systems?: readonly string[] | undefined
}

/** What a filter means for this actor. */
export function withinReach<Filter extends SystemNames>(
  { systemUuid, units }: Reach,
  filter: Filter,
): Filter & SystemNames & { readonly units: readonly string[] | undefined } {
  return { ...filter, systems: ownSystems(systemUuid, filter.systems), units: units ?? undefined }
}

/** Of the systems that are named, those that a device may see; undefined: all. */
export function ownSystems(
  systemUuid: string | null,
  named: readonly string[] | undefined,
): readonly string[] | undefined {
  if (systemUuid === null) return named
  return named?.filter((uuid) => uuid === systemUuid) ?? [systemUuid]
}

/** For a device, which knows that there are other systems. What is not within somebody's units is not there at all. */
export function requireOwnSystem({ systemUuid }: Reach, of: string): void {
  if (systemUuid === null || systemUuid === of) return
  throw new HoldfastError(
    'FORBIDDEN',
    `this account is bound to the system ${systemUuid} and may not touch the data of ${of}`,
  )
}
