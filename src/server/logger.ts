import { destination, pino, stdTimeFunctions } from 'pino'

/** The log of the server. Fields never contain tokens, bodies or secrets: see the two callers. */
export interface Logger {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The fields of an unexpected error: what happened and where. Other members are left out, because drivers attach
 * statements and rows to errors.
 */
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

/** The log of a platform inside of another program, which only writes errors to stderr. */
export const ERRORS_ONLY: Logger = {
  info: () => undefined,
  error: (fields, message) => process.stderr.write(`${JSON.stringify({ level: 'error', message, ...fields })}\n`),
}

/** A pipe takes so many bytes at once, so that the lines of several processes are not mixed up (POSIX, PIPE_BUF). */
const MOST_AT_ONCE = 4_096

/** So much waits for a disk that is full. What comes after that is dropped. */
const MOST_WAITING = 1_048_576

/**
 * The log on standard output. Its lines are written when the present turn of the event loop ends, many of them at once:
 * to write each line of a small request by itself costs as much as to route it. `base` is in every line. If standard output cannot be written, as on a full disk, `tell` says
 * so once, and the server goes on without its log.
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
