import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasErrors } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { reasonOfFileError } from '../models/file-error.ts'
import type { Io } from '../../shell/io.ts'
import { findingsOf, loadModels } from '../models/models.ts'

/** One thing that a command depends on. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found, and what to do about a problem. */
  readonly message: string
}

export function ok(name: string, message: string): Check {
  return { name, ok: true, message }
}

export function problem(name: string, message: string): Check {
  return { name, ok: false, message }
}

/** Turns an expected error into a problem with its message. Unexpected errors are thrown. */
export async function checked(name: string, work: () => string | Promise<string>): Promise<Check> {
  try {
    return ok(name, await work())
  } catch (error) {
    if (error instanceof HoldfastError) return problem(name, error.message)
    throw error
  }
}

const OLDEST_NODE = 24

export function checkNode(version: string): Check {
  const isNew = Number(version.split('.')[0]) >= OLDEST_NODE
  if (isNew) return ok('node', version)
  return problem(
    'node',
    `${version} is too old; install Node ${OLDEST_NODE} or newer, or run the command by npm, which brings one`,
  )
}

export function checkModels(directory: string, io: Pick<Io, 'cwd' | 'env'>): Promise<Check> {
  return checked('models', () => {
    const models = loadModels(directory, io)
    const found = findingsOf(models)
    if (!hasErrors(found)) return `${directory} is valid`
    throw new HoldfastError('BAD_USER_INPUT', `${directory} is not valid; "validate" says what is wrong`)
  })
}

export function checkDataDirectory(directory: string): Check {
  let existing = directory
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  const reason = reasonAgainst(existing)
  if (reason !== null) {
    const advice = 'make it a directory that can be written, or name another one by --data-dir or HOLDFAST_DATA_DIR'
    return problem('data directory', `the data directory ${directory} cannot be used: ${reason}; ${advice}`)
  }
  return ok('data directory', existing === directory ? directory : `${directory} (made when it is needed)`)
}

function reasonAgainst(existing: string): string | null {
  try {
    accessSync(existing, constants.W_OK)
    return statSync(existing).isDirectory() ? null : `${existing} is a file`
  } catch (error) {
    return reasonOfFileError(error)
  }
}
