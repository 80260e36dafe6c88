import type { Json } from '../../../src/lib/json.ts'

/** What a field takes. */
export interface Kind {
  readonly says: string
  readonly takes: readonly Json[]
  readonly refuses: readonly Json[]
}

export const TEXT: Kind = { says: 'a string', takes: ['x', 'Wärme ☂ {}'], refuses: [1, true, null, ['x'], { x: 'x' }] }
export const WHOLE: Kind = { says: 'an integer', takes: [0, 3], refuses: ['1', 1.5, true, null] }
export const FLAG: Kind = { says: 'a boolean', takes: [true, false], refuses: ['true', 1, null] }
export const URI: Kind = {
  says: 'a URI',
  takes: ['https://app.example/callback', 'org.example.app:/signed-in'],
  refuses: ['no address', 1],
}
export const STATUS: Kind = oneOf('ACTIVATED', 'DEACTIVATED', 'ARCHIVED')

export function oneOf(...values: readonly string[]): Kind {
  const [first = ''] = values
  return { says: values.join(' | '), takes: values, refuses: [first.toLowerCase(), 'OTHER', 1, null] }
}

export function orNull({ says, takes, refuses }: Kind): Kind {
  return { says: `${says} or null`, takes: [...takes, null], refuses: refuses.filter((value) => value !== null) }
}

export function listOf({ says, takes, refuses }: Kind): Kind {
  const [one = null] = takes
  return { says: `a list, each ${says}`, takes: [[one], []], refuses: [...refuses.map((value) => [value]), one, null] }
}

/** Only these, of which the first is in the specification and the others are other ways to write it. */
export function values(says: string, takes: readonly Json[], refuses: readonly Json[]): Kind {
  return { says, takes, refuses }
}
