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
import { idOf, type LiveState, type MetadataKey } from './live-state.ts'
import type { Pointers } from './pointers.ts'

/** An item of metadata as it will be stored, and who holds it. */
interface Use extends MetadataItem {
  /** Whether what holds it is no record but data: a system, a component, an event. */
  readonly isData: boolean
  /** Where a finding belongs: the record that holds it, or the one that rules over what holds it. */
  readonly holder: RecordKey
  readonly holderName: string
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
  const rulings = newRulings(drafts)
  const newlyRuled = new Set(rulings.map(({ key }) => key))
  if (newlyRuled.size === 0 && !rules.someUnique) return []
  const written = drafts.flatMap((draft) => (draft.after === null ? [] : usesOf(draft, draft.after)))
  const unique = written.filter(({ entity, key }) => rules.isUnique(entity, key)).map(({ key }) => key)
  const keys = new Set([...unique, ...newlyRuled])
  if (keys.size === 0) return []
  const changed = new Set(drafts.map(({ type, key, from }) => idOf({ type, key: from ?? key })))
  const untouched = (await live.withMetadata([...keys])).filter((record) => !changed.has(idOf(record)))
  const uses = [
    ...untouched.flatMap((record) => usesOf(record, record.body)),
    ...written,
    ...(await heldUses(rulings, live)),
  ]
  const place = (holder: RecordKey) => pointers.of(holder) ?? `/${holder.type}`
  return [...wrongValues(uses, newlyRuled, rules), ...repeatedValues(uses, rules)].map(({ holder, ...finding }) => ({
    ...finding,
    pointer: place(holder),
  }))
}

function usesOf(record: RecordKey, body: RecordBody): Use[] {
  return metadataItems(recordType(record.type), record.key, body).map((item) => ({
    ...item,
    isData: false,
    holder: record,
    holderName: idOf(record),
  }))
}

/** What is no record changes by no plan, so it only matters where a rule does. */
async function heldUses(rulings: readonly Ruling[], live: LiveState): Promise<Use[]> {
  const rulers = new Map(rulings.map(({ entity, key, ruler }) => [JSON.stringify([entity, key]), ruler]))
  const held = rulings.length === 0 ? [] : ((await live.heldMetadata?.(rulings)) ?? [])
  return held.flatMap(({ entity, key, value, holder }) => {
    const ruler = rulers.get(JSON.stringify([entity, key]))
    const holderName = `the ${entity.toLowerCase()} ${holder}`
    return ruler === undefined ? [] : [{ isData: true, entity, key, value, holder: ruler, holderName }]
  })
}

interface Ruling extends MetadataKey {
  readonly ruler: RecordKey
}

/** The keys whose MetadataType is new or stricter than it was: values that were allowed until now must be looked at again. */
function newRulings(drafts: readonly Draft[]): Ruling[] {
  return drafts.flatMap(({ type, key, before, after }) => {
    const rule = after === null ? undefined : recordType(type).metadataRule?.(after)
    const old = before && recordType(type).metadataRule?.(before)
    if (rule === undefined || JSON.stringify(rule) === JSON.stringify(old)) return []
    return [{ entity: rule.entity, key: rule.key, ruler: { type, key } }]
  })
}

/** Of values in the metadata of systems, components and events, which not everybody may read. */
export const HELD_METADATA_VALUE = 'held-metadata-value'

type Finding = Omit<Diagnostic, 'pointer'> & { readonly holder: RecordKey }

function wrongValues(uses: readonly Use[], keys: ReadonlySet<string>, rules: MetadataRules): Finding[] {
  return uses.flatMap(({ isData, holder, holderName, entity, key, value }) => {
    const problem = keys.has(key) ? valueProblem(value, rules.dataTypes(entity, key)) : null
    return problem === null
      ? []
      : [
          {
            severity: 'error',
            code: isData ? HELD_METADATA_VALUE : 'metadata-value',
            message: `metadata ${JSON.stringify(key)} of ${holderName}: ${problem}`,
            holder,
          },
        ]
  })
}

function repeatedValues(uses: readonly Use[], rules: MetadataRules): Finding[] {
  const holders = new Map<string, string>()
  return uses.flatMap(({ isData, holder, holderName, entity, key, value }) => {
    if (value === null || !rules.isUnique(entity, key)) return []
    const use = JSON.stringify([entity, key, value])
    const first = holders.get(use)
    if (first === undefined) {
      holders.set(use, holderName)
      return []
    }
    const finding = notUnique(key, value)
    const code = isData ? HELD_METADATA_VALUE : finding.code
    return [{ ...finding, code, message: `${finding.message} (by ${first})`, holder }]
  })
}
