import * as fc from 'fast-check'
import { DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../src/records/record-type.ts'
import { applyEdit, editArbitrary } from './random-edits.ts'
import { RECORDS } from './random-records.ts'
import { few } from './random-values.ts'
import { makeValid, type Model } from './valid-model.ts'

/** A small valid import document over any of the 12 record types, links in both spellings. */
export function modelArbitrary(): fc.Arbitrary<Model> {
  return fc.record(recordLists(), { requiredKeys: [], noNullPrototype: true }).map((model) => makeValid(model as Model))
}

/**
 * A valid document that somebody made by editing this one: records are added, removed, changed, reordered, emptied,
 * omitted.
 */
export function mutationArbitrary(document: Model): fc.Arbitrary<Model> {
  return fc
    .array(editArbitrary(modelArbitrary()), { minLength: 1, maxLength: 6 })
    .map((edits) => makeValid(edits.reduce(applyEdit, document), document))
}

function recordLists(): { [type in RecordTypeName]: fc.Arbitrary<unknown> } {
  const lists = DOCUMENT_TYPE_NAMES.map((type) => [type, few(RECORDS[type])])
  return Object.fromEntries(lists) as { [type in RecordTypeName]: fc.Arbitrary<unknown> }
}
