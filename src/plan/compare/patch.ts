import jsonPatch from 'fast-json-patch'
import type { RecordBody } from '../../records/record-type.ts'
import type { PatchOperation } from '../plan.ts'

/**
 * The JSON Patch (RFC 6902) from one body to the next. Creations and deletions have an empty patch, because their
 * whole body is in `after` or `before`.
 */
export function patchBetween(before: RecordBody | null, after: RecordBody | null): PatchOperation[] {
  if (before === null || after === null) return []
  return jsonPatch.compare(before, after).flatMap((operation): PatchOperation[] => {
    if (operation.op === 'remove') return [{ op: 'remove', path: operation.path }]
    if (operation.op === 'add' || operation.op === 'replace') {
      return [{ op: operation.op, path: operation.path, value: operation.value }]
    }
    return []
  })
}
