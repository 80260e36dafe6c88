import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'

export interface ServeOptions {
  readonly workers?: string
  readonly format: 'text' | 'json'
}

export async function serve({ workers }: ServeOptions, { io, parts }: Context): Promise<CommandResult> {
  await parts.serve({ ...io.env, ...(workers !== undefined && { WORKERS: workers }) }).catch((error: unknown) => {
    throw workers === undefined ? error : nameOption(error)
  })
  return DONE
}

/** Replaces the name of the variable by `--workers`, because the user gave the option. */
function nameOption(error: unknown): unknown {
  if (!(error instanceof HoldfastError)) return error
  // The message lists everything that the details have.
  return new HoldfastError(error.code, error.message.replaceAll('WORKERS', '--workers'), { cause: error })
}
