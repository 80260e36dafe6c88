import type { Client } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { findClient } from '../../platform/access/clients.ts'
import { findActiveAccount } from './accounts.ts'

interface Token {
  readonly kind: string
  readonly clientId?: string | undefined
  readonly accountId?: string | undefined
}

/**
 * Every consumer may ask about the tokens of its domain, as a resource server does (RFC 7662), and about nobody else's
 * refresh tokens. Of a token whose account or consumer is not ACTIVATED it learns that it is not active.
 */
export async function mayIntrospect(
  access: AccessContext,
  client: Client,
  { kind, clientId, accountId }: Token,
): Promise<boolean> {
  if (client.clientAuthMethod === 'none') return false
  if (kind === 'RefreshToken' && clientId !== client.clientId) return false
  if (accountId === undefined || (await findActiveAccount(access, accountId)) === undefined) return false
  const consumer = clientId === undefined ? null : await findClient(access, clientId)
  // None: the token is one that another provider's was exchanged for, and its method has been looked at.
  return consumer === null || consumer.status === 'ACTIVATED'
}
