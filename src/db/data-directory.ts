import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { storageError } from './storage-error.ts'

/**
 * Makes a directory and those above it, for their owner alone. The `recursive` of Node never ends where a directory that
 * exists answers that it does not, as /proc does.
 */
export function makeDirectories(path: string): void {
  const parent = dirname(path)
  if (statSync(path, { throwIfNoEntry: false }) === undefined && parent !== path) makeDirectories(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // It was there before, or another process has made it in between.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/** Makes a data directory. Git ignores all of it, because it holds keys and passwords and may be inside a repository. */
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

/** The error where a data directory, or a file in it, cannot be used. `what` says which, such as `cannot read /data/key`. */
export function directoryError(cause: unknown, what: string, directory: string): HoldfastError {
  const code = isObject(cause) ? String(cause['code']) : ''
  const fault = storageError(cause, `the disk of the data directory ${directory}`)
  return fault ?? new HoldfastError('CONFLICT', `${what}: ${REASONS[code] ?? code}; ${ADVICE}`, { cause })
}
