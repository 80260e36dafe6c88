import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import { sizeText, type Limits } from './limits.ts'
import { SlowBodies, type Arriving, type HeldBody } from './slow-bodies.ts'

/** The limits of one kind of bodies, by their names in `Limits`. */
interface Kind {
  /** `batches`: the batches that arrive or are processed. */
  readonly what: string
  readonly all: 'storingBytes' | 'requestsBytes' | 'documentsBytes'
  readonly ofAccount: 'storingBytesOfAccount' | 'requestsBytesOfAccount' | 'documentsBytesOfAccount'
}

const BATCHES: Kind = { what: 'batches', all: 'storingBytes', ofAccount: 'storingBytesOfAccount' }
const REQUESTS: Kind = { what: 'requests', all: 'requestsBytes', ofAccount: 'requestsBytesOfAccount' }
const DOCUMENTS: Kind = { what: 'import documents', all: 'documentsBytes', ofAccount: 'documentsBytesOfAccount' }

/** Works on a body of this sender while it arrives. */
type During = <T>(actor: Actor, work: (hold: Hold) => Promise<T>) => Promise<T>

/**
 * Reports how many bytes of memory a body takes now, and how to abort it while it arrives. Fails if the limit is
 * reached.
 */
export type Hold = (bytes: number, arriving?: Arriving) => void

/**
 * Counts the bytes of bodies that arrive or are worked on at this moment, so that one sender leaves room for the
 * others.
 */
export class HeldBytes {
  readonly #kind: Kind
  readonly #limits: Pick<Limits, Kind['all'] | Kind['ofAccount']>
  readonly #slots: SharedSlots
  readonly #slow: SlowBodies

  constructor(limits: Pick<Limits, Kind['all'] | Kind['ofAccount']>, kind: Kind) {
    this.#limits = limits
    this.#kind = kind
    const { [kind.all]: most, [kind.ofAccount]: mostOfAccount } = limits
    const slots = (this.#slots = new SharedSlots({ most, mostOfAccount }))
    // While more than half is free, nobody waits for a slow body.
    this.#slow = new SlowBodies((account) => slots.taken >= most / 2 || slots.takenBy(account) >= mostOfAccount / 2)
  }

  /**
   * Works on a body. Only the bytes that have arrived count. If the announced length counted, a client that sends
   * nothing could block the others.
   */
  async during<T>(actor: Actor, work: (hold: Hold) => Promise<T>): Promise<T> {
    const body: HeldBody = { account: accountOf(actor), held: 0, ticks: 0, before: 0 }
    let release: (() => void) | undefined
    const hold: Hold = (bytes, arriving) => {
      if (bytes > body.held) this.#requireRoom(actor, body.held)
      release?.()
      release = this.#slots.take(body.account, bytes)
      body.held = bytes
      this.#slow.watch(body, arriving)
    }
    try {
      return await work(hold)
    } finally {
      release?.()
      this.#slow.watch(body, undefined)
    }
  }

  /** The `own` bytes of the body do not count, so the body that reaches the limit is still accepted. */
  #requireRoom(actor: Actor, own: number): void {
    const lacking = this.#slots.lacking(accountOf(actor), own)
    if (lacking === null) return
    const { what, all, ofAccount } = this.#kind
    const limit = lacking === 'all' ? all : ofAccount
    const whose = lacking === 'all' ? '' : ` of ${actor.name}`
    throw new HoldfastError(
      'UNAVAILABLE',
      `${what}${whose} with ${sizeText(this.#limits[limit])} are arriving or in progress here, which is the maximum (${limit}); this one was refused, and nothing was changed; try again in a moment`,
    )
  }
}

/** The bodies of one process. */
export interface HeldBodies {
  /** Batches of datapoints and answers to setpoints. */
  readonly batches: HeldBytes
  /** All other bodies. Large bodies, which are import documents, leave room for small ones. */
  readonly during: During
}

export function heldBodies(limits: Limits): HeldBodies {
  const small = new HeldBytes(limits, REQUESTS)
  const large = new HeldBytes(limits, DOCUMENTS)
  return {
    batches: new HeldBytes(limits, BATCHES),
    during: (actor, work) =>
      small.during(actor, (holdSmall) =>
        large.during(actor, (holdLarge) =>
          work((bytes, arriving) => {
            const isSmall = bytes <= limits.requestBytes
            const [hold, other] = isSmall ? [holdSmall, holdLarge] : [holdLarge, holdSmall]
            other(0)
            hold(bytes, arriving)
          }),
        ),
      ),
  }
}
