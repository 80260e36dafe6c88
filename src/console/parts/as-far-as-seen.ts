import type { Visit } from '../page.ts'

/** Describes a list. To readers whose role counts within organizations only, it says that there may be more. */
export function asFarAsSeen(what: string, { actor }: Pick<Visit, 'actor'>): string {
  return actor.units === null ? what : `${what} that you may see`
}
