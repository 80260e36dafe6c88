import type { Client as OidcClient, Provider } from 'oidc-provider'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { guardedClientSecret } from './client-secret-guard.ts'

/** The class of a provider's clients, as far as it is changed here. */
export interface ClientClass {
  new (metadata: object): object
  readonly prototype: Pick<OidcClient, 'compareClientSecret'>
  readonly Schema: { readonly prototype: { redirectUris(): void } }
}

/**
 * Replaces two methods of the library, which has no options for them. Its own tests and maintainers do so too. The
 * methods are checked first, so that a new release cannot undo this silently.
 */
export function adaptClients({ Client }: Pick<Provider, 'Client'>, access: AccessContext): void {
  replaceMethods(Client as unknown as ClientClass, (clientId, secret) => guardedClientSecret(access, clientId, secret))
}

export function replaceMethods(
  Client: ClientClass,
  isSecretOf: (clientId: string, secret: string) => Promise<boolean>,
): void {
  requireMethod(Client.prototype, 'compareClientSecret', 1)
  Client.prototype.compareClientSecret = function (this: OidcClient, secret: string) {
    return isSecretOf(this.clientId, secret)
  }
  // With another application type the library would accept other schemes, but compare them less exactly: see
  // clients.ts.
  requireMethod(Client.Schema.prototype, 'redirectUris', 0)
  Client.Schema.prototype.redirectUris = () => undefined
  requireOwnSchemes(Client)
}

function requireMethod(owner: object, name: string, parameters: number): void {
  const method: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value
  if (typeof method === 'function' && method.length === parameters) return
  throw new Error(`oidc-provider has changed: its method ${name}, which is replaced here, is not what it was`)
}

function requireOwnSchemes(Client: ClientClass): void {
  try {
    void new Client({ client_id: 'check', token_endpoint_auth_method: 'none', redirect_uris: ['com.example.check:/'] })
  } catch (cause) {
    throw new Error('oidc-provider has changed: it refuses the redirect addresses of applications', { cause })
  }
}
