import type { Io } from './io.ts'

/** Shows on stderr which step takes time, where a terminal shows it to a person. */
export interface Progress {
  step(what: string): void
  /** Removes the line, so that it never stands between result and prompt. */
  clear(): void
}

const ERASE_LINE = '\r\x1b[2K'

export function progressOn({ stderr, env }: Pick<Io, 'stderr' | 'env'>): Progress {
  if (!stderr.isTerminal) return { step: () => {}, clear: () => {} }
  if (env['TERM'] === 'dumb') return { step: (what) => stderr.write(`${what} …\n`), clear: () => {} }
  let shown = false
  return {
    step(what) {
      stderr.write(`${ERASE_LINE}${what} …`)
      shown = true
    },
    clear() {
      if (shown) stderr.write(ERASE_LINE)
      shown = false
    },
  }
}
