import { DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { openGuards } from './verdict.ts'
import type { Change } from '../plan.ts'
import type { Root } from './roots.ts'

/** Orders by importance: open guards, then acknowledged guards, then records before links. */
export function byImportance(a: Root, b: Root): number {
  return rankOf(a.change) - rankOf(b.change) || weightOf(a) - weightOf(b)
}

function rankOf(change: Change): number {
  if (openGuards(change).length > 0) return 0
  return change.guards.length > 0 ? 1 : change.cause === 'you' ? 3 : 2
}

function weightOf({ change, followers }: Root): number {
  return followers.length > 0 ? 0 : isLink(change) ? 2 : 1
}

/** Records that belong to other records come after these, and are left out first. */
function isLink({ type }: Pick<Change, 'type'>): boolean {
  const { references = [], tree } = recordType(type)
  return tree === undefined && references.some(({ owner }) => owner)
}

/** The order in which types are shown: links after what they link. */
export const SHOWN_TYPES: readonly RecordTypeName[] = DOCUMENT_TYPE_NAMES.toSorted(
  (a, b) => Number(isLink({ type: a })) - Number(isLink({ type: b })),
)
