import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { commandLine } from '../../shell/terminal.ts'

export interface TypesOptions {
  readonly check?: boolean
  readonly format: 'text' | 'json'
}

/** Writes `generated/` again. With `--check`, it only reports the files that are out of date. */
export async function types({ check, format }: TypesOptions, { io, parts }: Context): Promise<CommandResult> {
  const files = await parts.generatedFiles()
  if (check !== true) {
    const written = await files.write()
    const text = written.length === 0 ? 'generated/ is up to date' : `wrote ${written.join(', ')}`
    io.stdout.write(format === 'json' ? `${JSON.stringify({ written }, null, 2)}\n` : `${text}\n`)
    return DONE
  }
  const stale = await files.stale()
  if (stale.length === 0) {
    if (format === 'json') io.stdout.write(`${JSON.stringify({ stale }, null, 2)}\n`)
    return DONE
  }
  const message = `${stale.join(', ')} out of date: run "${commandLine(io.env, 'types')}" and commit the result`
  throw new HoldfastError('CONFLICT', message)
}
