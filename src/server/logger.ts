import { destination, pino, stdTimeFunctions } from 'pino'

/** The log of the server. Fields must never contain tokens, bodies or secrets. */
export interface Logger {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** An unexpected error's message and stack. Its other fields may hold statements and rows, and are left out. */
export function errorFields(error: unknown, effects: readonly unknown[] = []): object {
  if (!(error instanceof Error)) return { error: { message: typeof error } }
  const code = 'code' in error ? error.code : undefined
  const { name, message, stack } = error
  return {
    error: {
      name,
      message,
      stack,
      ...(typeof code === 'string' && { code }),
      ...(error.cause !== undefined &&
        !effects.includes(error.cause) && { cause: errorFields(error.cause, [...effects, error]) }),
    },
  }
}

/** The log of a platform inside another program. It writes only errors, to stderr. */
export const ERRORS_ONLY: Logger = {
  info: () => undefined,
  error: (fields, message) => process.stderr.write(`${JSON.stringify({ level: 'error', message, ...fields })}\n`),
}

/** A pipe takes this many bytes in one piece, so the lines of several processes are not mixed (POSIX, PIPE_BUF). */
const MOST_AT_ONCE = 4_096

/** The number of bytes that may wait for a full disk. More is dropped. */
const MOST_WAITING = 1_048_576

/**
 * The log on standard output. It collects lines and writes them when the present turn of the event loop ends, because
 * writing each line of a small request costs as much as routing it. `base` is in every line. If standard output cannot
 * be written, for example on a full disk, `tell` reports it once, and the server continues without its log.
 */
export function processLogger(tell: (text: string) => void, base: { readonly worker: number } | null = null): Logger {
  const output = destination({ dest: 1, sync: true, maxLength: MOST_WAITING })
  let isTold = false
  output.on('error', ({ message }: Error) => {
    if (!isTold) tell(`The log cannot be written (${message}); the server continues without it`)
    isTold = true
  })
  let [lines, bytes] = ['', 0]
  const flush = (): void => {
    if (lines !== '') output.write(lines)
    lines = ''
    bytes = 0
  }
  const write = (line: string): void => {
    const more = Buffer.byteLength(line)
    if (bytes + more > MOST_AT_ONCE) flush()
    if (lines === '') setImmediate(flush)
    lines += line
    bytes += more
  }
  process.on('exit', flush)
  return pino({ base, timestamp: stdTimeFunctions.isoTime }, { write })
}
