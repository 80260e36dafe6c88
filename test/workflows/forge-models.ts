import { characteristic } from '../reconcile/sample.ts'

/** The action that `holdfast init` writes into pipelines. */
export const ACTION = 'acme/holdfast@0123456789abcdef0123456789abcdef01234567'

/** The file of a characteristic. */
export function model(code: string, more: object = {}): { readonly [path: string]: string } {
  return { [`models/${code}.yaml`]: JSON.stringify({ characteristics: [{ ...characteristic(code), ...more }] }) }
}
