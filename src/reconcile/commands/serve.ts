import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'

export interface ServeOptions {
  readonly workers?: string
}

export async function serve({ workers }: ServeOptions, { io, parts }: Context): Promise<CommandResult> {
  await parts.serve({ ...io.env, ...(workers !== undefined && { WORKERS: workers }) })
  return DONE
}
