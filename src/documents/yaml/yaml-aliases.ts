/**
 * The number of values that aliases may still repeat. A few lines of aliases to aliases can expand to billions of
 * values.
 */
export interface AliasBudget {
  readonly limit: number
  left: number
}

/**
 * Copies the value of an alias, so that the copies can be changed separately. `depth` is the number of nested levels
 * that are still allowed.
 */
export function copyAliased(
  value: unknown,
  budget: AliasBudget,
  depth: number,
): { readonly value: unknown } | 'too-many' | 'too-deep' {
  try {
    return { value: copy(value, budget, depth) }
  } catch (error) {
    if (error === TOO_MANY) return 'too-many'
    if (error === TOO_DEEP) return 'too-deep'
    throw error
  }
}

const TOO_MANY = new Error('too many')
const TOO_DEEP = new Error('too deep')

function copy(value: unknown, budget: AliasBudget, depth: number): unknown {
  if (budget.left-- <= 0) throw TOO_MANY
  if (typeof value !== 'object' || value === null) return value
  if (depth <= 0) throw TOO_DEEP
  if (Array.isArray(value)) return value.map((element) => copy(element, budget, depth - 1))
  const members: { [key: string]: unknown } = {}
  for (const [key, member] of Object.entries(value)) members[key] = copy(member, budget, depth - 1)
  return members
}
