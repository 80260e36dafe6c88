import type { Context } from 'hono'
import type { Scope } from '../../auth/scopes.ts'
import type { AppEnv } from '../../server/app-env.ts'
import type { PageServices } from '../../server/page-services.ts'

/** The token is pasted into a terminal, whose history keeps it. */
const SECONDS = 600

/**
 * Issues a token that may do one thing, for a few minutes, to the person whose session it is. It ends with that session
 * at the latest. Null where the session has ended.
 */
export async function issueShortToken(
  services: Pick<PageServices, 'provider'>,
  request: Context<AppEnv>,
  sessionToken: string,
  scope: Scope,
): Promise<string | null> {
  const provider = await services.provider(request)
  const own = await provider.AccessToken.find(sessionToken)
  if (own?.clientId === undefined) return null
  const client = await provider.Client.find(own.clientId)
  if (client === undefined) return null
  const { accountId, grantId, gty, sessionUid, expiresWithSession, claims } = own
  const token = new provider.AccessToken({
    accountId,
    grantId,
    client,
    gty,
    scope,
    expiresIn: SECONDS,
    ...(sessionUid !== undefined && { sessionUid }),
    ...(expiresWithSession !== undefined && { expiresWithSession }),
    ...(claims !== undefined && { claims }),
  })
  return token.save()
}
