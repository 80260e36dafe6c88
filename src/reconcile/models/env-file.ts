import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import { isInJob } from '../../shell/terminal.ts'
import { reasonOfFileError } from '../file-error.ts'

/**
 * Looks up the variables that references name: those that are set, and then those of `.env` in the working directory. The
 * file gives values to references and to nothing else, because it may come with a stranger's branch, and what addresses or
 * programs this command uses is not for that branch to say. A job gets its secrets from its forge alone.
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

/** Both have the members of all objects, too, such as `constructor`. */
function ownValue(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}

/** Most directories have no such file, and some have a directory of this name, as Python's environments are called. */
const NO_FILE = new Set(['ENOENT', 'EISDIR'])

function textOf(path: string, wanted: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FILE.has(String(error.code))) return ''
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `cannot read ${path}, where \${env:${wanted}} is looked up: ${reasonOfFileError(error)}; make it readable, or set ${wanted}`,
      { cause: error },
    )
  }
}
