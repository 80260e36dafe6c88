import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { storageError } from '../storage-error.ts'

// If PGlite cannot write its log, it cannot continue; PostgreSQL would restart. So work that could fill the disk does
// not begin.

const MIB = 1_048_576
/** Bytes of two files of the log: the next one is begun while the previous one is still written. */
const NEEDED_TO_OPEN = 32 * MIB
/** Twice as many bytes, with space for the data of one statement. */
const NEEDED_TO_WRITE = 64 * MIB

/** The maximum number of files that PostgreSQL keeps open. */
export const MOST_FILES = 192
/** The open files of PostgreSQL, and some for connections and everything else. */
const NEEDED_FILES = 256

/** Fails unless this process can open as many files as the database needs. PostgreSQL's own error comes too late. */
export function assertFiles(): void {
  const files: number[] = []
  try {
    while (files.length < NEEDED_FILES) files.push(openSync(process.execPath, 'r'))
  } catch (error) {
    throw storageError(error, 'the database') ?? error
  } finally {
    for (const file of files) closeSync(file)
  }
}

export const assertRoomToOpen = (directory: string): void => assertRoom(directory, NEEDED_TO_OPEN)
export const assertRoomToWrite = (directory: string): void => assertRoom(directory, NEEDED_TO_WRITE)

function assertRoom(directory: string, needed: number): void {
  const free = freeBytes(directory)
  if (free === null || free >= needed) return
  const found = `${Math.floor(free / MIB)} MB are free, and ${needed / MIB} MB must be`
  throw new HoldfastError(
    'UNAVAILABLE',
    `the disk of the database is full: ${found}; free some space there and try again. Nothing was changed`,
  )
}

/** Returns null if the file system does not report its free space. */
function freeBytes(directory: string): number | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory)
    return blocks === 0 ? null : bavail * bsize
  } catch {
    return null
  }
}

/** Finds the reason why a directory is not writable; null if it is writable. */
export function faultOfDirectory(directory: string): HoldfastError | null {
  const probe = join(directory, `room.${process.pid}.tmp`)
  try {
    const file = openSync(probe, 'w', 0o600)
    try {
      for (let written = 0; written < NEEDED_TO_OPEN; written += MIB) writeSync(file, new Uint8Array(MIB))
    } finally {
      closeSync(file)
      rmSync(probe, { force: true })
    }
    return null
  } catch (error) {
    return storageError(error, `the disk of ${directory}`)
  }
}
