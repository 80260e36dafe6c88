import { DONE, type Ending } from '../exit-code.ts'
import type { Context } from '../io.ts'

export async function serve({ parts }: Context): Promise<Ending> {
  await parts.serve()
  return DONE
}
