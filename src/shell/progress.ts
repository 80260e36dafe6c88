import type { Io } from './io.ts'

/** Shows on stderr which step is running, and how far it is, at a terminal or in the log of a CI job. */
export interface Progress {
  step(what: string): void
  /** Shows how far the step is, such as "3.2 MB sent". It replaces the previous note. */
  note(how: string): void
  /** Removes the line, so that it never stands between result and prompt. */
  clear(): void
}

/** Calls `call` every second until the returned function is called. */
export type Ticker = (call: () => void) => () => void

const NOTHING: Progress = { step: () => {}, note: () => {}, clear: () => {} }

export function progressOn(io: Pick<Io, 'stderr' | 'env' | 'now'>, ticker: Ticker = everySecond): Progress {
  if (io.stderr.isTerminal) {
    const isDumb = io.env['TERM'] === 'dumb'
    return stepsOn(io, ticker, isDumb ? new Log(io.stderr, true) : new Line(io.stderr))
  }
  return isSet(io.env['CI']) ? stepsOn(io, ticker, new Log(io.stderr, false)) : NOTHING
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== 'false'
}

interface Shown {
  readonly what: string
  readonly how: string
  readonly seconds: number
}

/** Shows steps in one kind of output. */
interface View {
  begin(shown: Shown): void
  /** Called every second, and after each note. */
  go(shown: Shown): void
  end(): void
}

function stepsOn({ now }: Pick<Io, 'now'>, ticker: Ticker, view: View): Progress {
  let stop: (() => void) | null = null
  let step = { what: '', how: '', since: 0 }
  const shown = (): Shown => ({ ...step, seconds: Math.floor((now() - step.since) / 1000) })
  return {
    step(what) {
      step = { what, how: '', since: now() }
      view.begin(shown())
      stop ??= ticker(() => view.go(shown()))
    },
    note(how) {
      if (stop === null) return
      step = { ...step, how }
      view.go(shown())
    },
    clear() {
      stop?.()
      stop = null
      view.end()
    },
  }
}

function everySecond(call: () => void): () => void {
  const timer = setInterval(call, 1000).unref()
  return () => clearInterval(timer)
}

const ERASE_LINE = '\r\x1b[2K'

/** One line of a terminal, which is overwritten again and again. */
class Line implements View {
  readonly #stderr: Io['stderr']
  #text = ''

  constructor(stderr: Io['stderr']) {
    this.#stderr = stderr
  }

  begin(shown: Shown): void {
    this.go(shown)
  }

  go(shown: Shown): void {
    // A line that continues in the next row could not be erased.
    const text = textOf(shown).slice(0, (this.#stderr.columns ?? 80) - 1)
    if (text !== this.#text) this.#stderr.write(`${ERASE_LINE}${text}`)
    this.#text = text
  }

  end(): void {
    if (this.#text !== '') this.#stderr.write(ERASE_LINE)
    this.#text = ''
  }
}

/** Seconds between two lines of a log: often enough to show that the work continues, and rare enough to be no noise. */
const BETWEEN_LINES = 10

/** Writes lines that stay: about each long step, and if a person waits, about each step when it begins. */
class Log implements View {
  readonly #stderr: Io['stderr']
  readonly #tellsAll: boolean
  #told = 0

  constructor(stderr: Io['stderr'], tellsAll: boolean) {
    this.#stderr = stderr
    this.#tellsAll = tellsAll
  }

  begin(shown: Shown): void {
    this.#told = 0
    if (this.#tellsAll) this.#stderr.write(`${textOf(shown)}\n`)
  }

  go(shown: Shown): void {
    if (shown.seconds < this.#told + BETWEEN_LINES) return
    this.#told = shown.seconds
    this.#stderr.write(`${textOf(shown)}\n`)
  }

  end(): void {
    this.#told = 0
  }
}

function textOf({ what, how, seconds }: Shown): string {
  const details = [...(how === '' ? [] : [how]), ...(seconds < 2 ? [] : [`${seconds} s`])]
  return details.length === 0 ? `${what} …` : `${what} … ${details.join(', ')}`
}
