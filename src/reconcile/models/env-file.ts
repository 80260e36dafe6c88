import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import { isInJob } from '../../shell/terminal.ts'
import { reasonOfFileError } from '../file-error.ts'

/**
 * Looks up the variables that references name: first in the environment, then in `.env` in the working directory. The
 * file is used for references only, because it may come from a stranger's branch. Such a branch must not decide which
 * addresses or programs this command uses. A job gets its secrets from its forge alone.
 */
export function variables(env: Environment, cwd: string): (name: string) => string | undefined {
  let written: Environment | undefined
  return (name) => {
    const set = ownValue(env, name)
    if (set !== undefined || isInJob(env)) return set
    written ??= parseEnv(textOf(join(cwd, '.env'), name))
    return ownValue(written, name)
  }
}

/** Reads only own members, because both objects also inherit members such as `constructor`. */
function ownValue(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}

function textOf(path: string, wanted: string): string {
  try {
    // In some directories, `.env` is a directory, for example a virtual environment of Python.
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `cannot read ${path}, where \${env:${wanted}} is looked up: ${reasonOfFileError(error)}; make it readable, or set ${wanted}`,
      { cause: error },
    )
  }
}
