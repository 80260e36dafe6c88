import { HoldfastError } from '../../lib/errors.ts'
import { givenFields, type Entity, type EntityName, type EntityOf } from '../../records/entity.ts'
import { plainValue } from '../../records/metadata.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import type { MetadataItem } from '../../../generated/import-document.ts'
import { toJson } from './entity-metadata.ts'

// A client that lost an answer sends a creation again, with the uuid that it chose. The content of the creation, with the
// defaults of the fields that it leaves out, is compared with what is stored.

/** Returns the error for a creation whose uuid has a stored entity with other content; null if the content is equal. */
export function otherContent<Name extends EntityName>(
  entity: Entity<Name>,
  stored: EntityOf<Name> & { readonly uuid: string },
  again: EntityOf<Name>,
): HoldfastError | null {
  const [before, now] = [contentOf(entity, stored), contentOf(entity, again)]
  const names = new Set([...before.keys(), ...now.keys()])
  const different = [...names].filter((name) => before.get(name) !== now.get(name))
  if (different.length === 0) return null
  const list = different.map((name) => `${name} (${before.get(name) ?? 'none'})`).join(' and ')
  const { definition } = entity
  const message = `the ${definition.toLowerCase()} ${stored.uuid} is stored with another ${list}; change it by update${definition}, or choose another uuid`
  return new HoldfastError('CONFLICT', message)
}

/** The content that clients give, as JSON text by the name of the field. Absent values have no entry. */
function contentOf<Name extends EntityName>(entity: Entity<Name>, values: EntityOf<Name>): ReadonlyMap<string, string> {
  const held: { readonly [field: string]: unknown } = { ...values }
  const content = givenFields(entity, 'create').flatMap(({ name, givenAs }): (readonly [string, unknown])[] => {
    if (name === 'uuid') return []
    return name === METADATA_FIELD ? metadataOf(held[name] as MetadataItem[]) : [[givenAs, held[name]]]
  })
  return new Map(content.flatMap(([name, value]) => (value == null ? [] : [[name, JSON.stringify(value)]])))
}

/** Values without their type, because a 5 stays the same if its MetadataType was INTEGER and is FLOAT now. */
function metadataOf(items: readonly MetadataItem[]): (readonly [string, unknown])[] {
  return items.map(({ key, value }) => [`metadata ${JSON.stringify(key)}`, plainValue(toJson(value))] as const)
}
