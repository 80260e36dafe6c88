import type { CountedRefusals } from '../../../store/datapoints/arriving/refused-datapoints.ts'
import { ofNoSeries, refusalKey, type Refusals } from './point-errors.ts'

/** The maximum number of separate entries of a domain, and of one of its senders, until they are stored. */
interface WaitingRoom {
  readonly ofDomain: number
  readonly ofSender: number
}

interface Counted extends CountedRefusals {
  count: number
  firstAt: number
  lastAt: number
}

/**
 * Refused datapoints of a domain that are not stored yet. Their memory is limited: further ones are counted by sender
 * and code, and finally by code alone.
 */
export class WaitingRefusals {
  readonly #room: WaitingRoom
  readonly #counted = new Map<string, Counted>()
  readonly #ofSender = new Map<string, number>()

  constructor(room: WaitingRoom) {
    this.#room = room
  }

  get counted(): readonly CountedRefusals[] {
    return [...this.#counted.values()]
  }

  /** `at`: milliseconds since 1970. */
  add(sender: string, { of, code, count }: Refusals, at: number): void {
    const day = new Date(at).toISOString().slice(0, 10)
    const times = { firstAt: at, lastAt: at }
    this.addCounted({ ...of, day, code, sender, isRest: false, count, ...times })
  }

  /** Also accepts counts that could not be stored. */
  addCounted(refusals: CountedRefusals): void {
    const key = keyOf(refusals)
    const known = this.#counted.get(key)
    if (known !== undefined) return join(known, refusals)
    const { sender } = refusals
    // The domain has at most one such entry for each code.
    if (sender === null) return void this.#counted.set(key, { ...refusals })
    const own = this.#ofSender.get(sender) ?? 0
    if (this.#counted.size >= this.#room.ofDomain) return this.addCounted(restOf(refusals, null))
    if (own >= this.#room.ofSender && !refusals.isRest) return this.addCounted(restOf(refusals, sender))
    this.#ofSender.set(sender, own + 1)
    this.#counted.set(key, { ...refusals })
  }
}

function restOf(refusals: CountedRefusals, sender: string | null): CountedRefusals {
  return { ...refusals, ...ofNoSeries(null), sender, day: null, isRest: true }
}

function join(known: Counted, { count, firstAt, lastAt }: CountedRefusals): void {
  known.count += count
  known.firstAt = Math.min(known.firstAt, firstAt)
  known.lastAt = Math.max(known.lastAt, lastAt)
}

function keyOf(refusals: CountedRefusals): string {
  return `${refusals.day} ${refusalKey(refusals, refusals.code)} ${refusals.sender}`
}
