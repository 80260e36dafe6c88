import { isForPeople, type AuthenticationMethod, type DelegatedMethod } from './method.ts'

// Each method has its own redirect URI, and an answer is only accepted at the URI of the method that the browser left
// for. So a provider that forwards people to another provider never gets that provider's code (RFC 9700, section 4.4).

/** The path that all methods of earlier releases share. */
export const SHARED_CALLBACK = '/login/callback'

/**
 * The path to which the provider of a method redirects people. A method of an earlier release keeps the shared path as
 * long as people can sign in by no other provider.
 */
export function callbackOf(method: DelegatedMethod, methods: readonly AuthenticationMethod[]): string {
  const keepsShared = method.sharesCallback && otherProviders(method, methods).length === 0
  return keepsShared ? SHARED_CALLBACK : ownCallback(method)
}

function ownCallback({ uuid }: DelegatedMethod): string {
  return `${SHARED_CALLBACK}/${uuid}`
}

/** The other methods by which people can sign in at a provider. */
function otherProviders({ uuid }: DelegatedMethod, methods: readonly AuthenticationMethod[]): DelegatedMethod[] {
  return methods.filter(
    (other): other is DelegatedMethod =>
      other.kind === 'openid-delegated' && other.uuid !== uuid && other.status === 'ACTIVATED' && isForPeople(other),
  )
}

/** Tells what to register at providers, besides the redirect URI of a new method. */
export function callbackAdvice(method: DelegatedMethod, methods: readonly AuthenticationMethod[]): readonly string[] {
  if (!isForPeople(method)) return []
  return [...ownAdvice(method, methods), ...adviceOnOthers(method, methods)]
}

function ownAdvice(method: DelegatedMethod, methods: readonly AuthenticationMethod[]): readonly string[] {
  if (!method.sharesCallback) return []
  const own = ownCallback(method)
  return callbackOf(method, methods) === own
    ? [`Its provider must know the redirect path ${own}: with several providers, ${SHARED_CALLBACK} no longer works.`]
    : [
        `Register the redirect path ${own} at the provider, besides ${SHARED_CALLBACK}, before you add another provider.`,
      ]
}

function adviceOnOthers(method: DelegatedMethod, methods: readonly AuthenticationMethod[]): readonly string[] {
  const others = method.status === 'ACTIVATED' ? otherProviders(method, methods) : []
  return others
    .filter(({ sharesCallback }) => sharesCallback)
    .map(
      (other) => `The provider of ${JSON.stringify(other.name)} must know its redirect path ${ownCallback(other)} now.`,
    )
}
