import type { Sql } from '../../db/sql.ts'
import type { Change } from '../../plan/plan.ts'
import type { MetadataRule } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { isHeldByData, noteChangedRules } from '../../store/model/metadata-values.ts'

/** After changes of MetadataTypes exactly the values that must be unique now are noted as such. */
export async function changeMetadataRules(sql: Sql, domainId: number, changes: readonly Change[]): Promise<void> {
  const rules = changes.flatMap(changedRules).filter(({ entity }) => isHeldByData(entity))
  if (rules.length > 0) await noteChangedRules(sql, domainId, rules)
}

/** A rule that is gone, or is for another key now, makes nothing unique any more. */
function changedRules({ type, before, after }: Change): MetadataRule[] {
  const ruleOf = recordType(type).metadataRule
  if (ruleOf === undefined) return []
  const [old, now] = [before && ruleOf(before), after && ruleOf(after)]
  const sameKey = old?.entity === now?.entity && old?.key === now?.key
  if (sameKey && old?.unique === now?.unique) return []
  return [...(old && !sameKey ? [{ ...old, unique: false }] : []), ...(now ? [now] : [])]
}
