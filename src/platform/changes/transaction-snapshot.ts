/** The transactions that had ended at a moment, in PostgreSQL's form `xmin:xmax:xip_list` (manual, section 9.28). */
export class TransactionSnapshot {
  readonly text: string
  /** All transactions before this one had ended. */
  readonly xmin: number
  /** No transaction from this one on had begun. */
  readonly xmax: number
  readonly #running: ReadonlySet<number>

  constructor(text: string) {
    const [xmin = '', xmax = '', running = ''] = text.split(':')
    this.text = text
    this.xmin = Number(xmin)
    this.xmax = Number(xmax)
    this.#running = new Set(running === '' ? [] : running.split(',').map(Number))
  }

  /** Tells whether the changes of a transaction were visible, unless it failed. */
  sees(transaction: number): boolean {
    return transaction < this.xmin || (transaction < this.xmax && !this.#running.has(transaction))
  }
}

const FORM = /^(\d{1,16}):(\d{1,16}):(\d{1,16}(,\d{1,16}){0,9999})?$/

/** Reads a snapshot; null where the text is none. */
export function readTransactionSnapshot(text: string): TransactionSnapshot | null {
  if (!FORM.test(text)) return null
  const snapshot = new TransactionSnapshot(text)
  const { xmin, xmax } = snapshot
  return xmin > 0 && xmin <= xmax && areInOrder(text, snapshot) ? snapshot : null
}

/** Checks the order of the list, because PostgreSQL would fail on a wrong one. */
function areInOrder(text: string, { xmin, xmax }: TransactionSnapshot): boolean {
  const [, , running = ''] = text.split(':')
  let last = xmin
  for (const one of running === '' ? [] : running.split(',').map(Number)) {
    if (one < last || one >= xmax) return false
    last = one
  }
  return true
}
