import { notUnique, valueProblem, type MetadataRules } from '../../documents/checks/metadata-rules.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { HeldMetadata, LiveState, MetadataKey } from '../live-state.ts'

// Metadata of systems, components and events that would break a MetadataType. A plan does not change this metadata, so
// it is read only if a rule changes. A fleet has any number of values, so only counts and the first findings are kept.

/** The code for metadata of systems, components and events. Not every reader of a plan may read these. */
export const HELD_METADATA_VALUE = 'held-metadata-value'

/** The maximum number of findings about such metadata. Further ones are only counted. */
export const MOST_HELD_FINDINGS = 1_000

export interface Ruling extends MetadataKey {
  /** The MetadataType that declares the key. */
  readonly ruler: RecordKey
}

export function ruleName({ entity, key }: MetadataKey): string {
  return JSON.stringify([entity, key])
}

/** The MetadataType records, by the name of their rule. */
export function rulersOf(rulings: readonly Ruling[]): ReadonlyMap<string, RecordKey> {
  return new Map(rulings.map((ruling) => [ruleName(ruling), ruling.ruler]))
}

interface HeldFinding {
  readonly code: string
  readonly message: string
  readonly ruler: RecordKey
}

interface HeldConflicts {
  readonly findings: readonly HeldFinding[]
  /** The number of values by the name of their rule. */
  readonly counts: ReadonlyMap<string, number>
}

/** `keys` are the keys with a new or stricter MetadataType. */
export async function heldConflicts(
  rulings: readonly Ruling[],
  keys: ReadonlySet<string>,
  rules: MetadataRules,
  live: LiveState,
): Promise<HeldConflicts> {
  const counts = new Map<string, number>()
  const findings: HeldFinding[] = []
  if (rulings.length === 0 || live.heldMetadata === undefined) return { findings, counts }
  const rulers = rulersOf(rulings)
  const unlisted = new Map<string, number>()
  let first: HeldMetadata | undefined
  for await (const batch of live.heldMetadata(rulings)) {
    for (const held of batch) {
      const rule = ruleName(held)
      const ruler = rulers.get(rule)
      if (ruler === undefined) continue
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
      if (first === undefined || !isEqual(first, held)) first = held
      const problems = problemsOf(held, first, keys, rules)
      if (problems.length === 0) continue
      if (findings.length >= MOST_HELD_FINDINGS) unlisted.set(rule, (unlisted.get(rule) ?? 0) + 1)
      else findings.push(...problems.map((message) => ({ code: HELD_METADATA_VALUE, message, ruler })))
    }
  }
  return { findings: [...findings, ...unlistedFindings(unlisted, rulers)], counts }
}

/** One finding for each MetadataType with values that are not listed. */
function unlistedFindings(
  unlisted: ReadonlyMap<string, number>,
  rulers: ReadonlyMap<string, RecordKey>,
): readonly HeldFinding[] {
  return [...unlisted].flatMap(([rule, count]) => {
    const ruler = rulers.get(rule)
    const message = `${count} more values in the metadata of systems, components or events would not fit and are not listed`
    return ruler === undefined ? [] : [{ code: 'held-metadata-values', message, ruler }]
  })
}

function isEqual(one: HeldMetadata, other: HeldMetadata): boolean {
  return ruleName(one) === ruleName(other) && JSON.stringify(one.value) === JSON.stringify(other.value)
}

/** `first` is the first value that equals this one, which may be itself. */
function problemsOf(
  held: HeldMetadata,
  first: HeldMetadata,
  keys: ReadonlySet<string>,
  rules: MetadataRules,
): string[] {
  const { entity, key, value } = held
  const wrong = keys.has(key) ? valueProblem(value, rules.dataTypes(entity, key)) : null
  const isRepeated = held !== first && value !== null && rules.isUnique(entity, key)
  return [
    ...(wrong === null ? [] : [`metadata ${JSON.stringify(key)} of ${nameOf(held)}: ${wrong}`]),
    ...(isRepeated ? [`${notUnique(key, value).message} (by ${nameOf(first)})`] : []),
  ]
}

function nameOf({ entity, holder }: HeldMetadata): string {
  return `the ${entity.toLowerCase()} ${holder}`
}
