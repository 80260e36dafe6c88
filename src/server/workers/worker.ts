import { HoldfastError } from '../../lib/errors.ts'
import { type Family, labelled } from '../metrics/exposition.ts'
import { BESIDE_VARIABLE, PLACE_VARIABLE, type FromWorker, type ToWorker } from './messages.ts'

/** The additional part of a server that is one of several workers. */
export class WorkerSide {
  readonly place = Number(process.env[PLACE_VARIABLE])
  readonly isBesideOthers = process.env[BESIDE_VARIABLE] === 'yes'
  /** Resolves when the server shall stop. */
  readonly stopped: Promise<void>
  readonly #waiting = new Map<number, (families: readonly Family[]) => void>()
  #asked = 0
  #own: () => readonly Family[] = () => []

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.stopped = promise
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'stop') resolve()
      else if (message.kind === 'report') this.#report(message.id)
      else this.#settle(message.id, message.families)
    })
  }

  readonly tell = (text: string): void => void send({ kind: 'told', text })

  ready(): void {
    void send({ kind: 'ready' })
  }

  /** Resolves when the message is on its way. */
  fail(error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error)
    const { code, message, details } = error instanceof HoldfastError ? error : new HoldfastError('INTERNAL', text)
    return send({ kind: 'failed', code, message, details })
  }

  /** Lets all workers show the metrics of each: takes what gives the own ones, and gives what gathers all. */
  readonly joinMetrics = (own: () => readonly Family[]): (() => Promise<readonly Family[]>) => {
    this.#own = own
    return () => this.#gather()
  }

  #gather(): Promise<readonly Family[]> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      void send({ kind: 'gather', id })
    })
  }

  #settle(id: number, families: readonly Family[]): void {
    this.#waiting.get(id)?.(families)
    this.#waiting.delete(id)
  }

  #report(id: number): void {
    void send({ kind: 'reported', id, families: labelled(this.#own(), { worker: String(this.place) }) })
  }
}

/** Where the channel is closed, the process that started this one has died, and this one ends too. */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, {}, () => resolve())
    else resolve()
  })
}
