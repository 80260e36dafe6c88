import { destination, pino, stdTimeFunctions } from 'pino'
import type { Logger } from './logger.ts'

/**
 * The log on standard output. Its lines are written when the present turn of the event loop ends, all of them at once:
 * to write each line of a small request by itself costs as much as to route it.
 */
export function processLogger(): Logger {
  const output = destination({ dest: 1, sync: true })
  let lines = ''
  const flush = (): void => {
    const written = lines
    lines = ''
    if (written !== '') output.write(written)
  }
  const write = (line: string): void => {
    if (lines === '') setImmediate(flush)
    lines += line
  }
  process.on('exit', flush)
  return pino({ base: null, timestamp: stdTimeFunctions.isoTime }, { write })
}
