import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Environment } from '../../shell/io.ts'
import { isInJob } from '../../shell/terminal.ts'

/**
 * Looks up the variables that references name: those that are set, and then those of `.env` in the working directory. The
 * file gives values to references and to nothing else, because it may come with a stranger's branch, and what addresses or
 * programs this command uses is not for that branch to say. A job gets its secrets from its forge alone.
 */
export function variables(env: Environment, cwd: string): (name: string) => string | undefined {
  let written: Environment | undefined
  return (name) => {
    if (env[name] !== undefined || isInJob(env)) return env[name]
    written ??= parseEnv(textOf(join(cwd, '.env')))
    return written[name]
  }
}

/** Most directories have none, and a reference that stays unresolved is reported in any case. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
