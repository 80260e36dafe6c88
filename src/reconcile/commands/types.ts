import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type Ending } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { commandLine } from '../../shell/terminal.ts'

export interface TypesOptions {
  readonly check?: boolean
}

/** Writes `generated/` anew, or with `--check` only says what is out of date there. */
export async function types({ check = false }: TypesOptions, { io, parts }: Context): Promise<Ending> {
  const stale = await parts.generate(check)
  if (!check) io.stdout.write(stale.length === 0 ? 'generated/ is up to date\n' : `wrote ${stale.join(', ')}\n`)
  if (!check || stale.length === 0) return DONE
  const message = `${stale.join(', ')} out of date: run "${commandLine(io.env, 'types')}" and commit the result`
  throw new HoldfastError('CONFLICT', message)
}
