import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { SKIPS_CONSENT } from './clients/clients.ts'

/**
 * What the application was already allowed, in this sign-in or before in the same session. A consumer that need not
 * ask gets everything that it requests.
 */
export async function existingGrant(context: KoaContextWithOIDC): Promise<Grant | undefined> {
  const found = await findGrant(context)
  return context.oidc.client?.[SKIPS_CONSENT] === true ? allowAll(context, found) : found
}

async function findGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { provider, result, session, client, account } = oidc
  const id = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId))
  const grant = id === undefined ? undefined : await provider.Grant.find(id)
  const isTheirs = grant?.accountId === account?.accountId && grant?.clientId === client?.clientId
  return isTheirs ? grant : undefined
}

async function allowAll({ oidc }: KoaContextWithOIDC, found: Grant | undefined): Promise<Grant> {
  const { provider, client, account, requestParamOIDCScopes: asked } = oidc
  const grant = found ?? new provider.Grant({ accountId: account?.accountId, clientId: client?.clientId })
  const missing = asked.difference(new Set(grant.getOIDCScope().split(' ')))
  if (found !== undefined && missing.size === 0) return found
  grant.addOIDCScope(missing)
  await grant.save()
  return grant
}
