import { notUnique, uniqueValues, type MetadataRules } from '../documents/metadata-rules.ts'
import type { Diagnostic } from '../lib/diagnostic.ts'
import type { RecordBody, RecordKey } from '../records/record-type.ts'
import { recordType } from '../records/registry.ts'
import type { Draft } from './draft-changes.ts'
import { idOf, type LiveState } from './live-state.ts'

/**
 * Values that would be on two records at once though their MetadataType says unique, one of them outside of the document
 * or left untouched by it: what the document alone cannot show.
 */
export async function repeatedMetadata(
  drafts: readonly Draft[],
  rules: MetadataRules,
  live: LiveState,
  pointers: ReadonlyMap<string, string>,
): Promise<Diagnostic[]> {
  const written = drafts.flatMap((draft) => (draft.after === null ? [] : usesOf(draft, draft.after, rules)))
  const keys = [...new Set([...written.map(({ key }) => key), ...newlyUnique(drafts)])]
  if (keys.length === 0) return []
  const changed = new Set(drafts.map(({ type, key, from }) => idOf({ type, key: from ?? key })))
  const kept = (await live.withMetadata(keys)).filter((record) => !changed.has(idOf(record))).flatMap((record) => usesOf(record, record.body, rules))
  const holders = new Map<string, string>()
  return [...kept, ...written].flatMap(({ holder, key, value, use }) => {
    const first = holders.get(use)
    if (first === undefined) {
      holders.set(use, holder)
      return []
    }
    const { message, ...finding } = notUnique(key, value)
    return [{ ...finding, message: `${message} (by ${first})`, pointer: pointers.get(holder) ?? `/${holder.split('/')[0]}` }]
  })
}

function usesOf(record: RecordKey, body: RecordBody, rules: MetadataRules) {
  return uniqueValues(recordType(record.type), record.key, body, rules).map((use) => ({ ...use, holder: idOf(record) }))
}

/** The keys whose MetadataType becomes unique: values that were allowed until now must be looked at again. */
function newlyUnique(drafts: readonly Draft[]): string[] {
  return drafts.flatMap(({ type, before, after }) => {
    const { metadataRule } = recordType(type)
    if (metadataRule === undefined || after === null) return []
    const rule = metadataRule(after)
    return rule.unique && !(before !== null && metadataRule(before).unique) ? [rule.key] : []
  })
}
