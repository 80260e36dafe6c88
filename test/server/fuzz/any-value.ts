import * as fc from 'fast-check'
import { NAUGHTY_STRINGS, UNSTORABLE_STRINGS } from '../../support/naughty-strings.ts'

// Values for requests: some that exist in the world of the test, some that may be right, and some that nobody expects.

/** What exists, by the name of a field or parameter. */
export type Known = readonly (readonly [name: RegExp, values: readonly string[]])[]

export const TIMES = ['2026-01-31T06:30:00Z', '2026-02-28T23:59:59.999999+01:00', '1970-01-01T00:00:00Z']
const WORDS = ['a', 'Name', 'PT15M', 'P1D', 'Europe/Berlin', 'ACTIVATED', 'a@b.example', '5', '-1', '2026-01-31']

/** Texts for a field. The known ones with its name come most often. */
export function anyText(
  name: string,
  known: Known,
  isFitting: (text: string) => boolean = () => true,
): fc.Arbitrary<string> {
  const named = known.flatMap(([pattern, values]) => (pattern.test(name) ? values : []))
  const times = /from|to$|at$|time|start|end|since|until|before/i.test(name) ? TIMES : []
  const likely = [...named, ...times].filter(isFitting)
  const all = known.flatMap(([, values]) => values)
  const others = fc.oneof(fc.constantFrom(...TIMES, ...WORDS, ...all), fc.uuid(), fc.string({ maxLength: 12 }))
  return likely.length === 0 ? others : fc.oneof({ arbitrary: fc.constantFrom(...likely), weight: 9 }, others)
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text)
}

export interface Member {
  readonly name: string
  readonly value: fc.Arbitrary<unknown>
  readonly isRequired: boolean
}

/** The most optional members at once: each makes it less likely that all fit together. */
const MOST_OPTIONAL = 3

/** Objects with all required members and a few others. */
export function objectOf(members: readonly Member[]): fc.Arbitrary<{ readonly [name: string]: unknown }> {
  const optional = members.filter(({ isRequired }) => !isRequired)
  const chosen = fc.subarray(optional, { maxLength: Math.min(optional.length, MOST_OPTIONAL) })
  return chosen.chain((few) => {
    const all = members.filter((one) => one.isRequired || few.includes(one))
    return fc
      .tuple(...all.map(({ value }) => value))
      .map((values) => Object.fromEntries(all.map(({ name }, at) => [name, values[at]])))
  })
}

/** Values of every kind that JSON can have, large ones and unstorable ones too. */
export const ANYTHING: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, 0, -1, 1.5, 2 ** 53, 1e300, '', [], {}, [[]], [null], { a: { b: [1] } }),
  fc.constantFrom(...NAUGHTY_STRINGS, ...UNSTORABLE_STRINGS, '\uD800', 'x'.repeat(10_000)),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant(JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}')),
  fc.array(fc.constant(7), { minLength: 200, maxLength: 300 }),
)

type Path = readonly (string | number)[]

/** One change that makes a value wrong, unless it happens to stay right. */
export interface Flaw {
  readonly place: number
  readonly kind: 'replaced' | 'left out' | 'added'
  readonly value: unknown
}

export const FLAW: fc.Arbitrary<Flaw> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replaced', 'replaced', 'left out', 'added'),
  value: ANYTHING,
})

/** Returns a copy of the value with the flaw at one of its places. */
export function flawed(value: unknown, { place, kind, value: wrong }: Flaw): unknown {
  const paths = pathsOf(value)
  const path = paths[place % paths.length] ?? []
  return changedAt(value, path, (found) => {
    if (kind === 'replaced') return wrong
    if (kind === 'left out') return undefined
    if (Array.isArray(found)) return [...(found as unknown[]), wrong]
    return typeof found === 'object' && found !== null ? { ...found, surprise: wrong } : wrong
  })
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...inner]
}

function changedAt(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (index === step ? (changedAt(one, rest, change) ?? null) : one))
  const object = value as { readonly [key: string]: unknown }
  return { ...object, [step]: changedAt(object[step], rest, change) }
}

/** One edit of a text: a part is cut out, doubled, or replaced by something else. */
export const EDIT: fc.Arbitrary<(text: string) => string> = fc
  .tuple(fc.nat(), fc.nat({ max: 12 }), fc.constantFrom('', '{', '}', '"', '$x', '...', '!', '\0', '\u{1F600}', '['))
  .map(([at, length, instead]) => (text: string) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + instead + text.slice(start + length)
  })
