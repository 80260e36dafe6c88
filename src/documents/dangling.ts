import type { Diagnostic } from '../lib/diagnostic.ts'
import { toPointer } from '../lib/pointer.ts'
import { didYouMean } from '../lib/suggest.ts'
import { ACCESS, type RecordKey, type RecordTypeName } from '../records/record-type.ts'
import { referencesOf } from '../records/references.ts'
import { recordType } from '../records/registry.ts'
import type { Snapshot } from './snapshot.ts'

/** A reference to a record that must already live on the platform. */
export interface ExternalReference extends RecordKey {
  /** The record that refers. */
  readonly from: RecordKey
  /** Where the reference stands in the import document. */
  readonly pointer: string
}

/** References to nothing, and those that the document alone cannot decide. `excused`: known not to be the fault of the reference. */
export function danglingReferences(
  snapshot: Snapshot,
  excused: (type: RecordTypeName, key: string) => boolean,
): { diagnostics: Diagnostic[]; external: ExternalReference[] } {
  const diagnostics: Diagnostic[] = []
  const external: ExternalReference[] = []
  for (const [name, { records }] of snapshot) {
    const type = recordType(name)
    if (type.references === undefined) continue
    for (const record of records.values()) {
      for (const { type: target, key, path } of referencesOf(type, record.key, record.body)) {
        const wanted = snapshot.get(target)
        if (wanted === undefined || wanted.records.has(key)) continue
        const reference = {
          type: target,
          key,
          from: { type: name, key: record.key },
          pointer: pointerInSource(record.pointer ?? '', name, path),
        }
        if (wanted.coverage !== 'all' || !wanted.covers(key)) external.push(reference)
        else if (!excused(target, key)) diagnostics.push(danglingDiagnostic(reference, [...wanted.records.keys()]))
      }
    }
  }
  return { diagnostics, external }
}

/** An embedded item names its target by `code`, not by the field of the link that it stands for. */
function pointerInSource(pointer: string, type: RecordTypeName, path: readonly string[]): string {
  return pointer.startsWith(`/${type}/`) ? pointer + toPointer(path) : pointer
}

export function danglingDiagnostic(
  { type, key, from, pointer }: ExternalReference,
  candidates: readonly string[],
): Diagnostic {
  const { definition } = recordType(type)
  const name = JSON.stringify(key)
  const problem =
    from.type === ACCESS
      ? `there is no ${definition} ${name} in the models or on the platform: add it to ${type} or correct the grant.`
      : `no ${definition} ${name} exists: add it to ${type} or correct the reference.`
  const message = problem + didYouMean(key, candidates)
  return { severity: 'error', code: 'dangling-reference', message, pointer }
}
