import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { directoryError, makeDataDirectory } from '../data-directory.ts'
import { storageError } from '../storage-error.ts'

/** The process that owns a data directory. `url` is null until the process serves requests. */
export interface Holder {
  readonly pid: number
  readonly url: string | null
  /** RFC 3339. */
  readonly startedAt: string
}

export interface DirectoryLock {
  /** Publishes new facts about the holder, such as the address once the server listens. */
  update(holder: Holder): void
  release(): void
}

/** This time is long enough to wait for another process that only checks whether the directory is locked. */
const BUSY_TIMEOUT_MS = 200

/**
 * Makes this process the only owner of a data directory until it releases the lock or ends. The lock is SQLite's lock
 * on `lock.sqlite`. The kernel holds it, so it ends even with a process that is killed. No other code may open this
 * file: POSIX drops the lock as soon as this process opens and closes the file in another way.
 */
export function lockDirectory(directory: string, { holder }: { readonly holder: Holder }): DirectoryLock {
  makeDirectory(directory)
  const lock = takeLock(directory)
  const file = holderFile(directory)
  try {
    writeHolder(file, holder)
  } catch (error) {
    lock.close()
    throw storageError(error, diskOf(directory)) ?? error
  }
  return {
    update: (next) => writeHolder(file, next),
    release: () => {
      if (!lock.isOpen) return
      rmSync(file, { force: true })
      lock.close()
    },
  }
}

function makeDirectory(directory: string): void {
  try {
    makeDataDirectory(directory)
    accessSync(directory, constants.W_OK)
  } catch (cause) {
    throw directoryError(cause, `the data directory ${directory} cannot be used`, directory)
  }
}

export function isDirectoryLocked(directory: string): boolean {
  if (!existsSync(lockFile(directory))) return false
  const lock = new DatabaseSync(lockFile(directory), { timeout: 0 })
  try {
    lock.exec('SELECT count(*) FROM sqlite_schema')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

/** Returns the process that owns the directory. The lock decides, because a killed process leaves its file behind. */
export function readHolder(directory: string): Holder | null {
  return isDirectoryLocked(directory) ? parseHolder(holderFile(directory)) : null
}

function diskOf(directory: string): string {
  return `the disk of the data directory ${directory}`
}

function takeLock(directory: string): DatabaseSync {
  makeLockFile(directory)
  const lock = new DatabaseSync(lockFile(directory), { timeout: BUSY_TIMEOUT_MS })
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw heldByAnother(directory)
    throw storageError(error, diskOf(directory)) ?? error
  }
}

/** Makes the file private. With the mode of SQLite all users could read it, and any reader can block its owner. */
function makeLockFile(directory: string): void {
  try {
    writeFileSync(lockFile(directory), '', { flag: 'wx', mode: 0o600 })
  } catch {
    // The file exists, or it cannot be made. SQLite reports the latter.
  }
}

function heldByAnother(directory: string): HoldfastError {
  const holder = parseHolder(holderFile(directory))
  const process = holder === null ? 'another process' : `process ${holder.pid}`
  const address = typeof holder?.url === 'string' ? `, which serves ${holder.url}` : ''
  const message = `The data directory ${directory} is in use by ${process}${address}. Stop it, or use another directory`
  return new HoldfastError('CONFLICT', message)
}

/** Tells whether SQLite reports SQLITE_BUSY (5). The bits above the lowest eight have details. */
function isBusy(error: unknown): boolean {
  const code = isObject(error) ? error['errcode'] : undefined
  return typeof code === 'number' && (code & 0xff) === 5
}

/** Writes the file by a rename, so that no reader sees a part of it. */
function writeHolder(file: string, holder: Holder): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function parseHolder(file: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isHolder(value) ? value : null
  } catch {
    // The file is not written yet, or was just removed.
    return null
  }
}

function isHolder(value: unknown): value is Holder {
  if (!isObject(value)) return false
  const { pid, url, startedAt } = value
  return typeof pid === 'number' && (url === null || typeof url === 'string') && typeof startedAt === 'string'
}

function lockFile(directory: string): string {
  return join(directory, 'lock.sqlite')
}

function holderFile(directory: string): string {
  return join(directory, 'holder.json')
}
