import {
  metadataItems,
  notUnique,
  valueProblem,
  type MetadataItem,
  type MetadataRules,
} from '../../documents/checks/metadata-rules.ts'
import { counted, nameSome } from '../../lib/counted.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { liveKey, type Draft } from '../compare/draft-changes.ts'
import type { LiveState } from '../live-state.ts'
import { heldConflicts, ruleName, rulersOf, type Ruling } from './held-metadata.ts'
import { recordId } from '../../records/record-id.ts'
import type { Pointers } from '../pointers.ts'

/** An item of metadata as it will be stored, and the record that holds it. */
interface Use extends MetadataItem {
  readonly holder: RecordKey
  /** The position of the item in the metadata of its holder. */
  readonly index: number
}

/**
 * Finds metadata that would break its MetadataType in ways that the document alone does not show: on records that the
 * document does not describe, or in fields that it leaves untouched. It also finds metadata that stays after its
 * MetadataType is deleted or renamed.
 */
export async function metadataConflicts(
  drafts: readonly Draft[],
  rules: MetadataRules,
  live: LiveState,
  pointers: Pointers,
): Promise<Diagnostic[]> {
  const rulings = newRulings(drafts)
  const ended = endedRulings(drafts)
  const newlyRuled = new Set(rulings.map(({ key }) => key))
  if (newlyRuled.size === 0 && ended.length === 0 && !rules.someUnique) return []
  const written = drafts.flatMap((draft) => (draft.after === null ? [] : usesOf(draft, draft.after)))
  const unique = written.filter(({ entity, key }) => rules.isUnique(entity, key)).map(({ key }) => key)
  const keys = new Set([...unique, ...newlyRuled, ...ended.map(({ key }) => key)])
  if (keys.size === 0) return []
  const changed = new Set(drafts.map(({ type, key, from }) => recordId({ type, key: from ?? key })))
  const untouched = (await live.withMetadata([...keys])).filter((record) => !changed.has(recordId(record)))
  const uses = [...untouched.flatMap((record) => usesOf(record, record.body)), ...written]
  const rulers = rulersOf(rulings)
  const held = await heldConflicts([...rulings, ...ended], newlyRuled, rules, live)
  const pointerOf = ({ holder, index, ...item }: Use) => {
    // If the MetadataType itself changes, the finding points to it, because the values may be anywhere.
    const ruler = rulers.get(ruleName(item))
    const pointer = ruler === undefined ? pointers.ofMetadata(holder, index) : pointers.of(ruler)
    return pointer ?? `/${holder.type}`
  }
  const usesByRule = Map.groupBy(ended.length === 0 ? [] : uses, ruleName)
  const found = [...wrongValues(uses, newlyRuled, rules), ...repeatedValues(uses, rules)]
  return [
    ...found.map(({ use, ...finding }) => ({ ...finding, pointer: pointerOf(use) })),
    ...held.findings.map(({ ruler, ...finding }) => ({
      severity: 'error' as const,
      ...finding,
      pointer: pointers.of(ruler) ?? `/${ruler.type}`,
    })),
    ...ended.flatMap((ruling) =>
      staysBehind(ruling, usesByRule.get(ruleName(ruling)) ?? [], held.counts.get(ruleName(ruling)) ?? 0),
    ),
  ]
}

const MOST_NAMED = 5

/**
 * Reports the values that stay after their MetadataType is deleted or renamed. Values may exist without a
 * MetadataType, but the user probably expects them to be deleted too.
 */
function staysBehind(ruling: Ruling, left: readonly Use[], data: number): Diagnostic[] {
  const count = left.length + data
  if (count === 0) return []
  const records = left.map(({ holder }) => recordId(holder)).sort()
  const named = [
    ...(records.length === 0 ? [] : [nameSome(records, MOST_NAMED)]),
    ...(data === 0 ? [] : [counted(data, ruling.entity.toLowerCase())]),
  ]
  const [value, stay] = count === 1 ? ['value', 'stays'] : ['values', 'stay']
  const message = `${count} ${value} of ${recordId(ruling.ruler)} ${stay}, but nothing declares them any more: the metadata of ${named.join(' and ')}`
  return [{ severity: 'warning', code: 'metadata-without-type', message, pointer: `/${ruling.ruler.type}` }]
}

function usesOf(record: RecordKey, body: RecordBody): Use[] {
  return metadataItems(recordType(record.type), record.key, body).map((item, index) => ({
    ...item,
    index,
    holder: record,
  }))
}

/** The keys that have a new or stricter MetadataType. Their values must be checked again. */
function newRulings(drafts: readonly Draft[]): Ruling[] {
  return drafts.flatMap(({ type, key, before, after }) => {
    const rule = after === null ? undefined : recordType(type).metadataRule?.(after)
    const old = before && recordType(type).metadataRule?.(before)
    if (rule === undefined || JSON.stringify(rule) === JSON.stringify(old)) return []
    return [{ entity: rule.entity, key: rule.key, ruler: { type, key } }]
  })
}

/** The keys that no longer have a MetadataType, because it is deleted or has another key now. */
function endedRulings(drafts: readonly Draft[]): Ruling[] {
  const lasting = new Set(rulingsOf(drafts, 'after').map(ruleName))
  return rulingsOf(drafts, 'before').filter((ruling) => !lasting.has(ruleName(ruling)))
}

function rulingsOf(drafts: readonly Draft[], side: 'before' | 'after'): Ruling[] {
  return drafts.flatMap((draft) => {
    const body = draft[side]
    const rule = body === null ? undefined : recordType(draft.type).metadataRule?.(body)
    return rule === undefined ? [] : [{ entity: rule.entity, key: rule.key, ruler: liveKey(draft) }]
  })
}

interface Finding extends Omit<Diagnostic, 'pointer'> {
  readonly use: Use
}

function wrongValues(uses: readonly Use[], keys: ReadonlySet<string>, rules: MetadataRules): Finding[] {
  return uses.flatMap((use) => {
    const { holder, entity, key, value } = use
    const problem = keys.has(key) ? valueProblem(value, rules.dataTypes(entity, key)) : null
    if (problem === null) return []
    const message = `metadata ${JSON.stringify(key)} of ${recordId(holder)}: ${problem}`
    return [{ severity: 'error', code: 'metadata-value', message, use }]
  })
}

function repeatedValues(uses: readonly Use[], rules: MetadataRules): Finding[] {
  const holders = new Map<string, string>()
  return uses.flatMap((use) => {
    const { holder, entity, key, value } = use
    if (value === null || !rules.isUnique(entity, key)) return []
    const name = JSON.stringify([entity, key, value])
    const first = holders.get(name)
    if (first === undefined) {
      holders.set(name, recordId(holder))
      return []
    }
    const finding = notUnique(key, value)
    return [{ ...finding, message: `${finding.message} (by ${first})`, use }]
  })
}
