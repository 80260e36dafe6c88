import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { storageError } from '../storage-error.ts'

// PGlite cannot go on once it could not write its log, where PostgreSQL would end and start again. So no work begins
// that could fill the disk to the last byte.

const MIB = 1_048_576
/** The room for two files of the log: one is begun while the other one is still written. */
const NEEDED_TO_OPEN = 32 * MIB
/** The same once more, for the data that one statement writes. */
const NEEDED_TO_WRITE = 64 * MIB

/** So many files PostgreSQL keeps open at most. */
export const MOST_FILES = 192
/** Connections and all else need some, too. */
const NEEDED_FILES = 256

/** Fails unless this process can open the files that the database needs. PostgreSQL would fail later, with other words. */
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

/** The result is null where the file system does not say. */
function freeBytes(directory: string): number | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory)
    return blocks === 0 ? null : bavail * bsize
  } catch {
    return null
  }
}

/** The reason why a directory cannot be written to; null where it can. */
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
