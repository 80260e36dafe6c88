import { hash } from 'node:crypto'
import type { Actor } from '../platform/access/actor.ts'
import type { Authenticate } from './authenticate.ts'

/** A token that is revoked goes on for so long at most. */
const FRESH_MS = 1_000
const MOST_REMEMBERED = 10_000

interface Remembered {
  readonly actor: Promise<Actor | null>
  readonly until: number
}

/** Asks about a token once a second. What is not good is not remembered: anybody can send any text. */
export function rememberedBearers(now: () => number): (authenticate: Authenticate) => Authenticate {
  const known = new Map<string, Remembered>()
  return (authenticate) => (token, domain) => {
    // Not the token itself: memory may end in a dump.
    const key = `${domain.id} ${hash('sha256', token, 'base64')}`
    const remembered = known.get(key)
    if (remembered !== undefined && now() < remembered.until) return remembered.actor
    if (known.size >= MOST_REMEMBERED) known.clear()
    const actor = authenticate(token, domain)
    known.set(key, { actor, until: now() + FRESH_MS })
    const forget = (): void => {
      if (known.get(key)?.actor === actor) known.delete(key)
    }
    actor.then((found) => (found === null ? forget() : undefined), forget)
    return actor
  }
}
