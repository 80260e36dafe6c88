import { HoldfastError } from '../../lib/errors.ts'
import type { Actor } from '../access/actor.ts'

type Bound = Pick<Actor, 'systemUuid'>

/** A device touches the data of its own system only; everybody else that of every system, as far as their rights go. */
export function mayTouchSystem({ systemUuid }: Bound, of: string): boolean {
  return systemUuid === null || systemUuid === of
}

/** Of the systems that are named, those that the actor may see; undefined: all. */
export function visibleSystems(
  { systemUuid }: Bound,
  named: readonly string[] | undefined,
): readonly string[] | undefined {
  if (systemUuid === null) return named
  return named?.filter((uuid) => uuid === systemUuid) ?? [systemUuid]
}

export function requireSystem(actor: Bound, of: string): void {
  if (mayTouchSystem(actor, of)) return
  throw new HoldfastError(
    'FORBIDDEN',
    `this account is bound to the system ${actor.systemUuid} and may not touch the data of ${of}`,
  )
}
