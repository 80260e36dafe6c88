/** Which transactions had ended at a moment, as PostgreSQL writes it: `xmin:xmax:xip_list` (manual, section 9.28). */
export class Snapshot {
  readonly text: string
  /** All before it had ended. */
  readonly xmin: number
  /** None from it on had begun. */
  readonly xmax: number
  readonly #running: ReadonlySet<number>

  constructor(text: string) {
    const [xmin = '', xmax = '', running = ''] = text.split(':')
    this.text = text
    this.xmin = Number(xmin)
    this.xmax = Number(xmax)
    this.#running = new Set(running === '' ? [] : running.split(',').map(Number))
  }

  /** Whether what the transaction did was to be seen, if it did not fail. */
  sees(transaction: number): boolean {
    return transaction < this.xmin || (transaction < this.xmax && !this.#running.has(transaction))
  }
}

const FORM = /^(\d{1,16}):(\d{1,16}):(\d{1,16}(,\d{1,16}){0,9999})?$/

/** Null where it is none. */
export function readSnapshot(text: string): Snapshot | null {
  if (!FORM.test(text)) return null
  const snapshot = new Snapshot(text)
  const { xmin, xmax } = snapshot
  return xmin > 0 && xmin <= xmax && areInOrder(text, snapshot) ? snapshot : null
}

/** What is not would be an error of the database. */
function areInOrder(text: string, { xmin, xmax }: Snapshot): boolean {
  const [, , running = ''] = text.split(':')
  let last = xmin
  for (const one of running === '' ? [] : running.split(',').map(Number)) {
    if (one < last || one >= xmax) return false
    last = one
  }
  return true
}
