import type { MetadataItem } from '../../../generated/import-document.ts'
import { nameSome } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { givenFields, type Entity, type EntityOf } from '../../records/entity.ts'
import { plainValue } from '../../records/metadata.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { toJson } from './entity-metadata.ts'

// A client that lost an answer sends a creation again, with the uuid that it chose. Its content, with defaults for
// omitted fields, is compared with the stored entity.

interface WithMetadata {
  readonly metadataKeyValueStore?: readonly MetadataItem[] | undefined
}

/** A message with everything that is stored would be large, and a list of components has many of them. */
const MOST_NAMED = 10
const LONGEST_VALUE = 64

/** Returns the error for a creation whose uuid has a stored entity with other content; null if the content is equal. */
export function otherContent<Name extends 'System' | 'Component'>(
  entity: Entity<Name>,
  stored: EntityOf<Name>,
  again: EntityOf<Name>,
): HoldfastError | null {
  const [before, now] = [contentOf(entity, stored), contentOf(entity, again)]
  const names = new Set([...before.keys(), ...now.keys()])
  const different = [...names].filter((name) => before.get(name) !== now.get(name))
  if (different.length === 0) return null
  const list = nameSome(
    different.map((name) => `${name} (${shortened(before.get(name) ?? 'none')})`),
    MOST_NAMED,
  )
  const { definition } = entity
  const message = `the ${definition.toLowerCase()} ${stored.uuid} is stored with another ${list}; change it by update${definition}, or choose another uuid`
  return new HoldfastError('CONFLICT', message)
}

/** The content that clients give, as JSON text by the name of the field. Absent values have no entry. */
function contentOf(entity: Entity, values: WithMetadata): ReadonlyMap<string, string> {
  const held: { readonly [field: string]: unknown } = { ...values }
  const fields = givenFields(entity, 'create').filter(({ name }) => name !== 'uuid' && name !== METADATA_FIELD)
  const content = [
    ...fields.map(({ name, givenAs }) => [givenAs, held[name]] as const),
    ...(values.metadataKeyValueStore ?? []).map(plainMetadata),
  ]
  return new Map(content.flatMap(([name, value]) => (value == null ? [] : [[name, JSON.stringify(value)]])))
}

/** A value without its type, because a 5 stays the same if its MetadataType was INTEGER and is FLOAT now. */
function plainMetadata({ key, value }: MetadataItem): readonly [string, unknown] {
  return [`metadata ${JSON.stringify(key)}`, plainValue(toJson(value))]
}

function shortened(json: string): string {
  return json.length <= LONGEST_VALUE ? json : `${json.slice(0, LONGEST_VALUE).toWellFormed()}…`
}
