/** Fails if an oidc-provider class lacks a method replaced here, since a release could silently drop it. */
export function requireMethod(owner: object, name: string, parameters: number): void {
  const method: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value
  if (typeof method === 'function' && method.length === parameters) return
  throw new Error(`oidc-provider has changed: its method ${name}, which is replaced here, is not what it was`)
}
