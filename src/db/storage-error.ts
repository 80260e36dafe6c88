import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'

// The codes of PostgreSQL (manual, appendix A), of the operating system and of SQLite for a full or failing disk. They
// do not mean that the data is damaged, so no message may claim that.

const FULL = 'is full; free some space there and try again'
const OUT_OF_FILES =
  'cannot be used: too many files are open; raise the limit (ulimit -n, LimitNOFILE), or end the process that holds them'

const FAULTS: { readonly [code: string]: string } = {
  '53100': FULL,
  ENOSPC: FULL,
  SQLITE_FULL: FULL,
  EDQUOT: 'is full: the quota of this user is used up; free some space there and try again',
  '58030': 'fails to read or write; check the system log and the health of the disk',
  EIO: 'fails to read or write; check the system log and the health of the disk',
  SQLITE_IOERR: 'fails to read or write; check the system log and the health of the disk',
  EMFILE: OUT_OF_FILES,
  ENFILE: OUT_OF_FILES,
  EROFS: 'is read-only; mount it so that it can be written',
  SQLITE_READONLY: 'is read-only; mount it so that it can be written, or give this user the right to write',
}

/** Makes the error for a fault of a disk; null for other errors. `disk` is its name in the message: `the disk of …`. */
export function storageError(cause: unknown, disk: string): HoldfastError | null {
  const fault = FAULTS[codeOf(cause)]
  if (fault === undefined) return null
  return new HoldfastError('UNAVAILABLE', `${disk} ${fault}. Nothing was changed`, { cause })
}

function codeOf(error: unknown): string {
  if (!isObject(error)) return ''
  const { code, errcode, message } = error
  // In SQLite, the lowest eight bits are the primary result code.
  if (typeof errcode === 'number') return SQLITE[errcode & 0xff] ?? ''
  // PostgreSQL has no separate code for too many open files.
  if (code === '53000' && /out of file descriptors/i.test(String(message))) return 'EMFILE'
  return String(code)
}

const SQLITE: { readonly [code: number]: string } = { 8: 'SQLITE_READONLY', 10: 'SQLITE_IOERR', 13: 'SQLITE_FULL' }
