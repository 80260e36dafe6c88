/**
 * Fails where a class of oidc-provider does not have the method that is replaced. A new release must not undo a replacement
 * silently.
 */
export function requireMethod(owner: object, name: string, parameters: number): void {
  const method: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value
  if (typeof method === 'function' && method.length === parameters) return
  throw new Error(`oidc-provider has changed: its method ${name}, which is replaced here, is not what it was`)
}
