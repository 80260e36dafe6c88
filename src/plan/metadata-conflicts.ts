import {
  metadataItems,
  notUnique,
  valueProblem,
  type MetadataItem,
  type MetadataRules,
} from '../documents/metadata-rules.ts'
import type { Diagnostic } from '../lib/diagnostic.ts'
import type { RecordBody, RecordKey } from '../records/record-type.ts'
import { recordType } from '../records/registry.ts'
import type { Draft } from './draft-changes.ts'
import { idOf, type LiveState } from './live-state.ts'
import type { Pointers } from './pointers.ts'

/** An item of metadata as it will be stored, and the record that holds it. */
interface Use extends MetadataItem {
  readonly holder: RecordKey
}

/**
 * Metadata that would break its MetadataType though the document alone does not show it: on records that the document
 * does not describe, or in fields that it leaves untouched.
 */
export async function metadataConflicts(
  drafts: readonly Draft[],
  rules: MetadataRules,
  live: LiveState,
  pointers: Pointers,
): Promise<Diagnostic[]> {
  const newlyRuled = newlyRuledKeys(drafts)
  if (newlyRuled.size === 0 && !rules.someUnique) return []
  const written = drafts.flatMap((draft) => (draft.after === null ? [] : usesOf(draft, draft.after)))
  const unique = written.filter(({ entity, key }) => rules.isUnique(entity, key)).map(({ key }) => key)
  const keys = new Set([...unique, ...newlyRuled])
  if (keys.size === 0) return []
  const changed = new Set(drafts.map(({ type, key, from }) => idOf({ type, key: from ?? key })))
  const untouched = (await live.withMetadata([...keys])).filter((record) => !changed.has(idOf(record)))
  const uses = [...untouched.flatMap((record) => usesOf(record, record.body)), ...written]
  const place = (holder: RecordKey) => pointers.of(holder) ?? `/${holder.type}`
  return [...wrongValues(uses, newlyRuled, rules), ...repeatedValues(uses, rules)].map(({ holder, ...finding }) => ({
    ...finding,
    pointer: place(holder),
  }))
}

function usesOf(record: RecordKey, body: RecordBody): Use[] {
  return metadataItems(recordType(record.type), record.key, body).map((item) => ({ ...item, holder: record }))
}

/** The keys whose MetadataType is new or stricter than it was: values that were allowed until now must be looked at again. */
function newlyRuledKeys(drafts: readonly Draft[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { type, before, after } of drafts) {
    const rule = after === null ? undefined : recordType(type).metadataRule?.(after)
    if (
      rule !== undefined &&
      JSON.stringify(rule) !== JSON.stringify(before && recordType(type).metadataRule?.(before))
    )
      keys.add(rule.key)
  }
  return keys
}

type Finding = Omit<Diagnostic, 'pointer'> & { readonly holder: RecordKey }

function wrongValues(uses: readonly Use[], keys: ReadonlySet<string>, rules: MetadataRules): Finding[] {
  return uses.flatMap(({ holder, entity, key, value }) => {
    const problem = keys.has(key) ? valueProblem(value, rules.dataTypes(entity, key)) : null
    return problem === null
      ? []
      : [
          {
            severity: 'error',
            code: 'metadata-value',
            message: `metadata ${JSON.stringify(key)} of ${idOf(holder)}: ${problem}`,
            holder,
          },
        ]
  })
}

function repeatedValues(uses: readonly Use[], rules: MetadataRules): Finding[] {
  const holders = new Map<string, RecordKey>()
  return uses.flatMap(({ holder, entity, key, value }) => {
    if (value === null || !rules.isUnique(entity, key)) return []
    const use = JSON.stringify([entity, key, value])
    const first = holders.get(use)
    if (first === undefined) {
      holders.set(use, holder)
      return []
    }
    const finding = notUnique(key, value)
    return [{ ...finding, message: `${finding.message} (by ${idOf(first)})`, holder }]
  })
}
