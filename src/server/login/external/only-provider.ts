import type { AccessContext } from '../../../platform/access/access-context.ts'
import type { DelegatedMethod } from '../../../platform/access/methods/method.ts'
import { listLoginMethods } from '../../../platform/access/methods/methods.ts'

/**
 * The provider of the only way of signing in, where that is another provider: nobody is asked to choose then
 * (specification, section 5).
 */
export async function onlyProvider(access: AccessContext): Promise<DelegatedMethod | null> {
  const [only, ...others] = await listLoginMethods(access)
  return only?.kind === 'openid-delegated' && others.length === 0 ? only : null
}
