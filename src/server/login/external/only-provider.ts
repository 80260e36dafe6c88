import type { AccessContext } from '../../../platform/access/access-context.ts'
import type { DelegatedMethod } from '../../../platform/access/methods/method.ts'
import { listLoginMethods } from '../../../platform/access/methods/methods.ts'

/** Returns the provider if it is the only way to sign in, so that people need not choose (specification, section 5). */
export async function onlyProvider(access: AccessContext): Promise<DelegatedMethod | null> {
  const [only, ...others] = await listLoginMethods(access)
  return only?.kind === 'openid-delegated' && others.length === 0 ? only : null
}
