import { DONE, type Ending } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'

export async function serve({ parts }: Context): Promise<Ending> {
  await parts.serve()
  return DONE
}
