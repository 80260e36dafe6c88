import { rulesOf } from '../../../auth/method-configuration.ts'
import type { AccessContext } from '../access-context.ts'
import { listMethods } from '../methods/methods.ts'

/** People who could do more before roles existed, with advice on how to restore that. */
export interface LostRight {
  readonly who: string
  readonly what: string
  readonly advice: string
}

/** Before roles existed, every token with the scope `service` could do everything. */
export async function listLostRights(context: AccessContext): Promise<LostRight[]> {
  const methods = await listMethods(context)
  return methods.flatMap((method) => {
    if (method.kind === 'internal' || method.status !== 'ACTIVATED') return []
    const { issuer, emailDomains } = method.configuration
    if (rulesOf(method.configuration).length > 0 || emailDomains.length > 0) return []
    return [
      {
        who: `people of ${method.name} (${issuer})`,
        what: 'can sign in and see who they are, and nothing else',
        advice: 'say in emailDomains for which addresses it is trusted, or grant a role to its identities by claims',
      },
    ]
  })
}
