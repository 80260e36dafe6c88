import { setOf } from '../../lib/set-of.ts'
import type { Actor } from '../access/grants/actor.ts'

/**
 * The systems that an actor may use, with everything that belongs to them. A device may use its own system. An account
 * whose role applies within organizations or units may use their systems. All others may use every system, as far as
 * their rights allow.
 */
export type Reach = Pick<Actor, 'systemUuid' | 'units'>

export const EVERYWHERE: Reach = { systemUuid: null, units: null }

/** Something that belongs to a system. */
export interface SystemPart {
  readonly systemUuid: string
  /** The organization or unit of the system; null if it belongs to none. Then it is not within any unit. */
  readonly unitUuid: string | null
}

export function reaches(reach: Reach, { systemUuid, unitUuid }: SystemPart): boolean {
  return (reach.systemUuid === null || reach.systemUuid === systemUuid) && isWithin(reach, unitUuid)
}

/** Tells whether the actor's units include this one. Each point of a batch asks, and there may be thousands of units. */
export function isWithin({ units }: Pick<Reach, 'units'>, unitUuid: string | null): boolean {
  return units === null || (unitUuid !== null && setOf(units).has(unitUuid))
}

/** The reach of an actor; null if it includes all systems, so that such actors skip the checks. */
export function boundsOf(reach: Reach): Reach | null {
  return reach.systemUuid === null && reach.units === null ? null : reach
}

interface SystemNames {
  readonly systems?: readonly string[] | undefined
}

/** Restricts a filter to the actor's reach. */
export function withinReach<Filter extends SystemNames>(
  { systemUuid, units }: Reach,
  filter: Filter,
): Filter & SystemNames & { readonly units: readonly string[] | undefined } {
  return { ...filter, systems: ownSystems(systemUuid, filter.systems), units: units ?? undefined }
}

/** The named systems that a device may see; undefined for all. */
export function ownSystems(
  systemUuid: string | null,
  named: readonly string[] | undefined,
): readonly string[] | undefined {
  if (systemUuid === null) return named
  return named?.filter((uuid) => uuid === systemUuid) ?? [systemUuid]
}
