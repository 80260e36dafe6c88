import { readDocument } from '../../documents/read/read-document.ts'
import { RECORD_TYPE_NAMES, type DocumentTypeName } from '../../records/record-type.ts'
import type { Models } from './models.ts'

/** The record types of which models describe something: also links that only stand in lists inside of other records. */
export function managedTypes({ document }: Pick<Models, 'document'>): DocumentTypeName[] {
  const { snapshot } = readDocument(document)
  return RECORD_TYPE_NAMES.filter((name) => (snapshot.get(name)?.coverage ?? 'none') !== 'none')
}
