/** This many characters of a text or key count as one value, because each copy is written out. */
export const CHARACTERS_OF_VALUE = 64

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
  spend(typeof value === 'string' ? value.length : 0, budget)
  if (typeof value !== 'object' || value === null) return value
  if (depth <= 0) throw TOO_DEEP
  if (Array.isArray(value)) return value.map((element) => copy(element, budget, depth - 1))
  const members: { [key: string]: unknown } = {}
  for (const [key, member] of Object.entries(value)) {
    if (key.length > CHARACTERS_OF_VALUE) spend(key.length, budget)
    members[key] = copy(member, budget, depth - 1)
  }
  return members
}

function spend(characters: number, budget: AliasBudget): void {
  budget.left -= Math.max(1, Math.ceil(characters / CHARACTERS_OF_VALUE))
  if (budget.left < 0) throw TOO_MANY
}
