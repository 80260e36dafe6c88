import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOfFileError } from '../file-error.ts'
import { ok, problem, type Check } from './check.ts'

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
