import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { commandLine } from '../../shell/terminal.ts'

export interface TypesOptions {
  readonly check?: boolean
}

/** Writes `generated/` again, or with `--check` only says which files are out of date. */
export async function types({ check }: TypesOptions, { io, parts }: Context): Promise<CommandResult> {
  const files = await parts.generatedFiles()
  if (check !== true) {
    const written = await files.write()
    io.stdout.write(written.length === 0 ? 'generated/ is up to date\n' : `wrote ${written.join(', ')}\n`)
    return DONE
  }
  const stale = await files.stale()
  if (stale.length === 0) return DONE
  const message = `${stale.join(', ')} out of date: run "${commandLine(io.env, 'types')}" and commit the result`
  throw new HoldfastError('CONFLICT', message)
}
