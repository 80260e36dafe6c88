import { HoldfastError } from '../../lib/errors.ts'
import { type Family, labelled } from '../metrics/exposition.ts'
import { BESIDE_VARIABLE, PLACE_VARIABLE, type FromWorker, type ToWorker } from './messages.ts'

/** The worker's side of the communication with the process that started it. */
export class WorkerSide {
  readonly place = Number(process.env[PLACE_VARIABLE])
  readonly isBesideOthers = process.env[BESIDE_VARIABLE] === 'yes'
  /** Resolves when the server should stop. */
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

  /** Resolves when the message has been sent. */
  fail(error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error)
    const { code, message, details } = error instanceof HoldfastError ? error : new HoldfastError('INTERNAL', text)
    return send({ kind: 'failed', code, message, details })
  }

  /** Receives a function for the metrics of this worker, and returns one for the metrics of all workers. */
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

/** Sends a message. If the channel is closed, the parent process has died, and this one will end, too. */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, {}, () => resolve())
    else resolve()
  })
}
