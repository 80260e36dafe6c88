/**
 * Fails if a class of oidc-provider lacks a method that is replaced here. Otherwise a new release could disable the
 * replacement silently.
 */
export function requireMethod(owner: object, name: string, parameters: number): void {
  const method: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value
  if (typeof method === 'function' && method.length === parameters) return
  throw new Error(`oidc-provider has changed: its method ${name}, which is replaced here, is not what it was`)
}
