import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'

export async function serve({ parts }: Context): Promise<CommandResult> {
  await parts.serve()
  return DONE
}
