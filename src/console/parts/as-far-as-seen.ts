import type { Visit } from '../page.ts'

/** Describes a list. For readers whose role counts only within organizations, it says that there may be more items. */
export function asFarAsSeen(what: string, { actor }: Pick<Visit, 'actor'>): string {
  return actor.units === null ? what : `${what} that you may see`
}
