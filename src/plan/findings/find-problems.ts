import type { DocumentReading } from '../../documents/read/read-document.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { Settings } from '../../records/settings.ts'
import type { ComparedModels } from '../compare/compare-models.ts'
import { stillReferenced } from '../compare/deletions.ts'
import type { Draft } from '../compare/draft-changes.ts'
import {
  danglingExternals,
  incompleteRecords,
  invalidMerges,
  refersAfter,
  reservedKeys,
  unresolvedSecrets,
} from './findings.ts'
import type { Grants } from '../access/grants-after.ts'
import { lastAdministrator, mayEndAdministration } from '../guards/last-administrator.ts'
import { likelyMoves } from '../compare/likely-moves.ts'
import type { LiveState } from '../live-state.ts'
import { membership } from '../../records/record-id.ts'
import { metadataConflicts } from './metadata-conflicts.ts'
import type { Pointers } from '../pointers.ts'

interface PlannedWork {
  readonly drafts: readonly Draft[]
  readonly grants: Grants
  readonly pointers: Pointers
}

/** Collects the findings about the records of a plan: errors, and warnings if the plan looks unintended. */
export async function findProblems(
  { diagnostics, external, metadata }: DocumentReading,
  { index, moves, deletions, all }: ComparedModels,
  { drafts, grants, pointers }: PlannedWork,
  live: LiveState,
  moved: Settings['moved'],
): Promise<Diagnostic[]> {
  const isPlanned = drafts === all ? () => true : membership(drafts)
  const references = external.filter(({ from }) => isPlanned(from))
  return [
    ...diagnostics,
    ...danglingExternals(references, index),
    ...moves.diagnostics,
    ...invalidMerges(drafts, pointers),
    ...incompleteRecords(drafts, pointers),
    ...(await metadataConflicts(drafts, metadata, live, pointers)),
    ...stillReferenced(deletions.filter(isPlanned), refersAfter(drafts)),
    ...unresolvedSecrets(drafts, pointers),
    ...reservedKeys(drafts, moved, index, pointers),
    ...(mayEndAdministration(drafts) ? await lastAdministrator(drafts, grants, live) : []),
    ...likelyMoves(drafts, pointers),
  ]
}
