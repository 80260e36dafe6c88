import type { LoadedDocument } from '../../documents/read/loaded-document.ts'
import { addPositions, findPositions, pointersOf, inOrder } from '../../documents/locate-diagnostics.ts'
import type { Diagnostic, SourcePosition } from '../../lib/diagnostic.ts'
import { recordId } from '../../records/record-id.ts'
import { allChanges, type Change, type Plan } from '../../plan/plan.ts'
import { isDocumentTypeName, type RecordTypeName } from '../../records/record-type.ts'
import type { TargetPlan } from '../target/target.ts'

/** Adds to a plan what only the client knows of its files: positions, and the number of files of each record type. */
export function locatePlan(
  { plan, pointers }: TargetPlan,
  models: Pick<LoadedDocument, 'locate' | 'fileOf' | 'files' | 'diagnostics'>,
): Plan {
  const pointerOf = (change: Change) => pointers.get(recordId(change)) ?? ''
  const precise = allChanges(plan)
    .filter((change) => !isBrief(change))
    .map(pointerOf)
  const positions = findPositions([...precise, ...pointersOf(plan.diagnostics)], models)
  const beginnings = new Map<string, SourcePosition>()
  const positioned = (change: Change) => {
    const pointer = pointerOf(change)
    const source = isBrief(change) ? beginningOf(models.fileOf(pointer), beginnings) : positions.get(pointer)
    return source === undefined ? change : { ...change, source }
  }
  return {
    ...plan,
    scope: plan.scope.map((row) => ({ ...row, files: countOf(row.type, models.files) })),
    changes: plan.changes.map(positioned),
    access: { ...plan.access, changes: plan.access.changes.map(positioned) },
    diagnostics: inOrder([...models.diagnostics, ...addPositions(plan.diagnostics.filter(isNews(models)), positions)]),
  }
}

function countOf(type: RecordTypeName, files: LoadedDocument['files']): number {
  return isDocumentTypeName(type) ? (files[type] ?? 0) : 0
}

/** Tells whether a change is one of the many creations of a brief plan. For them the file is shown without a line. */
function isBrief({ action, after }: Change): boolean {
  return action === 'create' && after === null
}

function beginningOf(file: string | undefined, beginnings: Map<string, SourcePosition>): SourcePosition | undefined {
  if (file === undefined) return undefined
  const known = beginnings.get(file) ?? { file, line: 1, column: 1 }
  beginnings.set(file, known)
  return known
}

/** Makes the test whether a finding is new. Reading has reported unresolved references, with more detail. */
function isNews({ diagnostics }: Pick<LoadedDocument, 'diagnostics'>): (found: Diagnostic) => boolean {
  const said = new Set(diagnostics.filter(({ code }) => code === 'unresolved-reference').map(({ pointer }) => pointer))
  return ({ code, pointer }) => code !== 'secret-not-resolved' || !said.has(pointer)
}
