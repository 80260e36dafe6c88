import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { isNodeAway, sqlState } from '../sql-error.ts'
import { storageError } from '../storage-error.ts'
import { Unanswered } from './answer-watch.ts'

/** Messages for a statement that got no answer. */
export interface Fate {
  /** The message if the connection ended. */
  readonly lost: string
  /** The message if no answer came. */
  readonly silent: string
}

const SILENCE = 'The database does not answer: it has stopped, or the network drops all packets'
const EITHER =
  'the change was made as a whole or not at all; check before you repeat it (an apply that is sent again with its id is never made twice)'

/** The transaction was still open, so it ends with its connection. */
export const NOTHING_KEPT: Fate = {
  lost: 'The connection to the database was lost and nothing was changed; try again',
  silent: `${SILENCE}. Nothing was changed; try again in a moment`,
}
export const PERHAPS_KEPT: Fate = {
  lost: `The connection to the database was lost at the last moment: ${EITHER}`,
  silent: `${SILENCE}. If this was at the last moment, ${EITHER}`,
}

const BATCH =
  'A batch was stored as a whole or not at all, and replaces nothing that is acknowledged later: retry it with the same Idempotency-Key or the same timestamps, and it is stored once'

export const PERHAPS_STORED: Fate = {
  lost: `The connection to the database was lost at the last moment. ${BATCH}`,
  silent: `${SILENCE}. ${BATCH}`,
}

const TOO_LONG =
  'The statement ran too long, or waited too long for other work, and the database has ended it; ' +
  'nothing was changed. Request less at once, or try again when the database is less busy'

export const NODE_AWAY = 'The database cannot reach its node with the data of this domain'

const DISK = 'the disk of the database server'

/** Tells whether PostgreSQL stopped, with all connections. It does so if it cannot write its log. */
function endsServer(error: unknown): boolean {
  return isObject(error) && (error['severity'] === 'PANIC' || error['severity'] === 'FATAL')
}

function brokenLog(lost: string, cause: unknown): HoldfastError {
  const message = `${DISK}, or the disk of its log (pg_wal), is full or fails, and PostgreSQL has stopped: free some space there, and start PostgreSQL if it does not restart by itself. ${lost}`
  return new HoldfastError('UNAVAILABLE', message, { cause })
}

/**
 * Turns the faults of a disk and of a connection into errors that say what to do. If the connection just ends, the
 * error of pg has no SQLSTATE. If the server ends it, the error has one of those below (25P03: the transaction paused
 * too long).
 */
export function faultOf(error: unknown, { lost, silent }: Fate): unknown {
  if (error instanceof Unanswered) return new HoldfastError('UNAVAILABLE', silent, { cause: error })
  const fault = storageError(error, DISK)
  if (fault !== null) return endsServer(error) ? brokenLog(lost, error) : fault
  if (isNodeAway(error)) return new HoldfastError('UNAVAILABLE', `${NODE_AWAY}. ${lost}`, { cause: error })
  const state = sqlState(error)
  if (state === '57014') return new HoldfastError('UNAVAILABLE', TOO_LONG, { cause: error })
  const ended = state === undefined ? ENDED_SOCKET : /^(08|57P0[1-5]|25P03|EPIPE)/
  const isEnded = error instanceof Error && (ended.test(state ?? error.message) || ENDED_CITUS.test(error.message))
  if (!isEnded) return error
  return new HoldfastError('UNAVAILABLE', lost, { cause: error })
}

/** Reasons of the operating system for closing a socket, such as ETIMEDOUT after keepalive. */
const ENDED_SOCKET =
  /^connection terminated|not queryable|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET/i

/** Citus reports the end of the server that we are connected to as an internal error. */
const ENDED_CITUS = /^postmaster was shut down/
