import { scalarText } from '../../documents/yaml/yaml-scalars.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { digestOf, type Digest } from '../../lib/digest.ts'
import { remembering } from '../../lib/remembering.ts'
import { parentKey } from '../../records/identity.ts'
import { recordType } from '../../records/registry.ts'
import type { Draft } from './draft-changes.ts'
import type { Pointers } from '../pointers.ts'

/**
 * Every deletion of a type is compared with every creation. With more pairs than this, that would take too long, and
 * a plan of that size is a migration rather than a rename.
 */
const MOST_PAIRS = 10_000
const NEARLY_EQUAL = 0.75

export const LOOKS_LIKE_MOVE = 'looks-like-move'

/** Warns if a deletion and a creation of one type have nearly equal bodies, because the record was probably renamed. */
export function likelyMoves(drafts: readonly Draft[], pointers: Pointers): Diagnostic[] {
  const deleted = drafts.filter(({ action, reason }) => action === 'delete' && reason === undefined)
  const created = drafts.filter(({ action }) => action === 'create')
  if (deleted.length * created.length > MOST_PAIRS) return []
  const digestsOf = remembering(fieldDigests)
  const taken = new Set<Draft>()
  return deleted.flatMap((gone) => {
    const type = recordType(gone.type)
    if (type.references !== undefined && type.identity.length > 1) return []
    const near = created
      .filter((made) => made.type === gone.type && !taken.has(made) && parentKey(made.key) === parentKey(gone.key))
      .map((made) => ({ made, likeness: likeness(digestsOf(gone), digestsOf(made)) }))
      .sort((a, b) => b.likeness - a.likeness)[0]
    if (near === undefined || near.likeness < NEARLY_EQUAL) return []
    taken.add(near.made)
    const entry = `moved: [{type: ${gone.type}, from: ${scalarText(gone.key)}, to: ${scalarText(near.made.key)}}]`
    const message = `${gone.key} is deleted and ${near.made.key}, which is nearly the same, is created; if it was renamed, keep its identity and data by adding to holdfast.yaml: ${entry}`
    return [
      {
        severity: 'warning' as const,
        code: LOOKS_LIKE_MOVE,
        message,
        pointer: pointers.of(near.made) ?? `/${gone.type}`,
      },
    ]
  })
}

/** The fields of a body, apart from the identity, with a digest of each value: a value may be large, and has many comparisons. */
type FieldDigests = ReadonlyMap<string, Digest>

function fieldDigests({ type, before, after }: Draft): FieldDigests {
  const { identity } = recordType(type)
  const fields = Object.entries(after ?? before ?? {}).filter(([field]) => !identity.includes(field))
  return new Map(fields.map(([field, value]) => [field, digestOf(JSON.stringify(value))]))
}

/** The share of fields that have equal values in both bodies. */
function likeness(before: FieldDigests, after: FieldDigests): number {
  const fields = [...new Set([...before.keys(), ...after.keys()])]
  if (fields.length < 2) return 0
  return fields.filter((field) => before.get(field) === after.get(field)).length / fields.length
}
