import type { Visit } from '../page.ts'

/**
 * What a list is of. To people whose role counts within organizations or units only, it says that there may be more than
 * they are shown.
 */
export function asFarAsSeen(what: string, { actor }: Pick<Visit, 'actor'>): string {
  return actor.units === null ? what : `${what} that you may see`
}
