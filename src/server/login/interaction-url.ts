import type { KoaContextWithOIDC } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Interaction } from './interaction.ts'
import { onlyProvider } from './external/only-provider.ts'

/** Returns the address where a person signs in or consents (`interactions.url` of oidc-provider). */
export async function interactionUrl(
  access: AccessContext,
  koa: KoaContextWithOIDC,
  interaction: Interaction,
): Promise<string> {
  const only = interaction.prompt.name === 'login' ? await onlyProvider(access) : null
  const login = loginUrl(interaction)
  if (only === null) return login
  const { startExternalLogin } = await import('./external/external-login.ts')
  // The login page tries again and shows the problem.
  return startExternalLogin(access, only, interaction, koa.oidc.provider.issuer).catch(() => login)
}

/** Returns `/login` with the parameters of the authorization request (specification, section 5) and the interaction. */
export function loginUrl({ uid, params }: Pick<Interaction, 'uid' | 'params'>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (typeof value === 'string') query.set(name, value)
  // An address must not contain a token, and this one is not needed any more.
  query.delete('id_token_hint')
  query.set('interaction', uid)
  return `/login?${query.toString()}`
}
