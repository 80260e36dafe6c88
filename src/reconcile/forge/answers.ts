import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'

// A forge's answers are read member by member: whatever else stands in them is not looked at.

export function textIn(value: unknown, ...path: readonly string[]): string {
  const found = memberOf(value, path)
  if (typeof found === 'string') return found
  throw strange(path)
}

export function numberIn(value: unknown, ...path: readonly string[]): number {
  const found = memberOf(value, path)
  if (typeof found === 'number') return found
  throw strange(path)
}

export function memberOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner: unknown, name) => (isObject(inner) ? inner[name] : undefined), value)
}

function strange(path: readonly string[]): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    `the forge answers without ${path.join('.')}; is its API at the usual address?`,
  )
}
