import type { LoadedDocument } from '../../documents/read/load.ts'
import { inOrder } from '../../documents/place-order.ts'
import type { Diagnostic, SourcePosition } from '../../lib/diagnostic.ts'
import { recordId } from '../../records/record-id.ts'
import { allChanges, type Change, type Plan } from '../../plan/plan.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import type { TargetPlan } from '../target/target.ts'

type Located = Pick<LoadedDocument, 'locate'>

/** Fills in where the findings stand in the files. */
export function locateDiagnostics(diagnostics: readonly Diagnostic[], models: Located): readonly Diagnostic[] {
  const pointers = diagnostics.flatMap(({ pointer, related = [] }) => [
    pointer,
    ...related.map((place) => place.pointer),
  ])
  return placeDiagnostics(diagnostics, findPositions(pointers, models))
}

/** Fills in what only the side that has the files can know: positions, and how many files hold each record type. */
export function locatePlan(
  { plan, pointers }: TargetPlan,
  models: Pick<LoadedDocument, 'locate' | 'fileOf' | 'files' | 'diagnostics'>,
): Plan {
  const pointerOf = (change: Change) => pointers.get(recordId(change)) ?? ''
  const precise = allChanges(plan)
    .filter((change) => !isBrief(change))
    .map(pointerOf)
  const wanted = plan.diagnostics.flatMap(({ pointer, related = [] }) => [
    pointer,
    ...related.map((place) => place.pointer),
  ])
  const positions = findPositions([...precise, ...wanted], models)
  const beginnings = new Map<string, SourcePosition>()
  const placeOf = (change: Change) =>
    isBrief(change) ? beginningOf(models.fileOf(pointerOf(change)), beginnings) : positions.get(pointerOf(change))
  const placed = (change: Change) => {
    const source = placeOf(change)
    return source === undefined ? change : { ...change, source }
  }
  return {
    ...plan,
    scope: plan.scope.map((row) => ({
      ...row,
      files: isDocumentTypeName(row.type) ? (models.files[row.type] ?? 0) : 0,
    })),
    changes: plan.changes.map(placed),
    access: { ...plan.access, changes: plan.access.changes.map(placed) },
    diagnostics: inOrder([
      ...models.diagnostics,
      ...placeDiagnostics(plan.diagnostics.filter(isNews(models)), positions),
    ]),
  }
}

/** One of the many creations of a brief plan: of these people see the files, not the lines. */
function isBrief({ action, after }: Change): boolean {
  return action === 'create' && after === null
}

function beginningOf(file: string | undefined, beginnings: Map<string, SourcePosition>): SourcePosition | undefined {
  if (file === undefined) return undefined
  const known = beginnings.get(file) ?? { file, line: 1, column: 1 }
  beginnings.set(file, known)
  return known
}

/** Who looked the references up has already said, and better, which of them are not resolved. */
function isNews({ diagnostics }: Pick<LoadedDocument, 'diagnostics'>): (found: Diagnostic) => boolean {
  const said = new Set(diagnostics.filter(({ code }) => code === 'unresolved-reference').map(({ pointer }) => pointer))
  return ({ code, pointer }) => code !== 'secret-not-resolved' || !said.has(pointer)
}

/** The empty pointer is the whole document, which stands in no one place. */
function findPositions(pointers: readonly string[], models: Located): ReadonlyMap<string, SourcePosition> {
  const wanted = new Set(pointers)
  wanted.delete('')
  return wanted.size === 0 ? new Map() : models.locate([...wanted])
}

function placeDiagnostics(
  diagnostics: readonly Diagnostic[],
  positions: ReadonlyMap<string, SourcePosition>,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const placed = { ...diagnostic, ...positions.get(diagnostic.pointer) }
    if (diagnostic.related === undefined) return placed
    return { ...placed, related: diagnostic.related.map((place) => ({ ...place, ...positions.get(place.pointer) })) }
  })
}
