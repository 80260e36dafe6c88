import { mkdirSync, statSync, writeFileSync, chmodSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { storageError } from './storage-error.ts'

/**
 * Makes a directory and its parents, which only the owner can use. The `recursive` option of Node is not used: it never
 * ends if a directory exists but reports that it does not, as /proc does.
 */
export function makeDirectories(path: string): void {
  const parent = dirname(path)
  if (statSync(path, { throwIfNoEntry: false }) === undefined && parent !== path) makeDirectories(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // It existed before, or another process has just made it.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/** Makes a data directory. Git ignores its content, as it has keys and passwords and may be inside a repository. */
export function makeDataDirectory(path: string): void {
  makeDirectories(path)
  try {
    writeFileSync(join(path, '.gitignore'), '*\n', { flag: 'wx' })
  } catch (error) {
    if (!isObject(error) || error['code'] !== 'EEXIST') throw error
  }
}

const REASONS: { readonly [code: string]: string } = {
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a directory',
  ENOENT: 'the directory does not exist and cannot be created',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
}

const ADVICE = 'let this user read and write the data directory, or name another one by HOLDFAST_DATA_DIR'

/** The error for an unusable data directory or file. `what` names the failure, such as `cannot read /data/key`. */
export function directoryError(cause: unknown, what: string, directory: string): HoldfastError {
  const code = isObject(cause) ? String(cause['code']) : ''
  const fault = storageError(cause, `the disk of the data directory ${directory}`)
  return fault ?? new HoldfastError('CONFLICT', `${what}: ${REASONS[code] ?? code}; ${ADVICE}`, { cause })
}

const OTHERS = 0o077

/** Closes a database to all other users. Its parent directory may have existed before, and be open to all users. */
export function makePrivate(directory: string): void {
  if (!isOpen(directory)) return
  makeFilesPrivate(directory)
  close(directory)
}

/** Closes the files of a new database to other users. PGlite makes them writable for everybody. */
export function makeFilesPrivate(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink() && isOpen(path)) close(path)
  }
}

function isOpen(path: string): boolean {
  return (lstatSync(path).mode & OTHERS) !== 0
}

function close(path: string): void {
  try {
    chmodSync(path, lstatSync(path).mode & 0o7700)
  } catch {
    // Some file systems have no modes, and only the owner of a file may change its mode. If PostgreSQL cannot read the
    // file, it reports that itself.
  }
}
