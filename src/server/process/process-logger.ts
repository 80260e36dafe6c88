import { destination, pino, stdTimeFunctions } from 'pino'
import type { Logger } from './logger.ts'

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
