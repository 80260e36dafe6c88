import * as fc from 'fast-check'
import type { Json } from '../../src/lib/json.ts'
import { DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../src/records/record-type.ts'
import type { Body } from './random-values.ts'
import { identityFields, type Model } from './valid-model.ts'

const KINDS = [
  'add',
  'remove',
  'replace',
  'set',
  'drop-key',
  'reorder-keys',
  'reorder-records',
  'empty',
  'leave-out',
] as const

/** One edit of a document. If the document has nothing to edit in this way, nothing happens. */
export interface Edit {
  readonly kind: (typeof KINDS)[number]
  readonly type: DocumentTypeName
  /** The number of the record and of its key. It wraps around. */
  readonly place: number
  readonly key: number
  /** The source of new records and values. */
  readonly other: Model
}

export function editArbitrary(other: fc.Arbitrary<Model>): fc.Arbitrary<Edit> {
  return fc.record({
    kind: fc.constantFrom(...KINDS),
    type: fc.constantFrom(...DOCUMENT_TYPE_NAMES),
    place: fc.nat(9),
    key: fc.nat(19),
    other,
  })
}

export function applyEdit(model: Model, edit: Edit): Model {
  const { kind, type, other } = edit
  const { [type]: records, ...rest } = model
  switch (kind) {
    case 'add':
      return { ...model, [type]: [...(records ?? []), ...(other[type] ?? [])] }
    case 'empty':
      return { ...model, [type]: [] }
    case 'leave-out':
      return rest
    default:
      return records === undefined || records.length === 0 ? model : { ...model, [type]: changed(records, edit) }
  }
}

function changed(records: readonly Body[], edit: Edit): readonly Body[] {
  const place = edit.place % records.length
  if (edit.kind === 'remove') return records.toSpliced(place, 1)
  if (edit.kind === 'reorder-records') return [...records.slice(place), ...records.slice(0, place)].toReversed()
  return records.with(place, changedRecord(records[place] ?? {}, edit))
}

function changedRecord(record: Body, { kind, type, key, place, other }: Edit): Body {
  const others = other[type] ?? []
  const source = others[place % others.length] ?? record
  switch (kind) {
    case 'replace':
      return { ...source, ...pick(record, identityFields(type)) }
    case 'set':
      return { ...record, ...pick(source, keysOf(source, FREE_KEYS, key)) }
    case 'drop-key':
      return omit(record, keysOf(record, OPTIONAL_KEYS, key))
    default:
      return Object.fromEntries(Object.entries(record).toReversed())
  }
}

/** Keys that any record may omit. */
const OPTIONAL_KEYS: readonly string[] = [
  'description',
  'status',
  'symbol',
  'metadataKeyValueStore',
  'multiple',
  'schema',
  'boundaryMin',
  'boundaryMax',
  'boundaryStep',
  'precision',
  'isConnective',
  'services',
  'characteristics',
  'reference',
  'eventLevel',
  'message',
  'limitToPrototypes',
  'default',
  'unique',
  'organizationUnits',
  'organization',
  'scopes',
  'noExplicitConsentRequired',
  'defaultRedirectUri',
  'redirectUris',
  'index',
]

/** Keys that fit every record of their type, independent of its other fields. */
const FREE_KEYS: readonly string[] = [
  ...OPTIONAL_KEYS.filter((key) => !/^(boundary|precision|multiple|schema|default$|unique)/.test(key)),
  'componentType',
  'eventType',
  'grantTypes',
  'secret',
  'password',
  'characteristicType',
]

function keysOf(record: Body, allowed: readonly string[], number: number): readonly string[] {
  const keys = Object.keys(record).filter((key) => allowed.includes(key))
  return keys.slice(number % keys.length).slice(0, 1)
}

function pick(record: Body, keys: readonly string[]): Body {
  const entries = keys.flatMap((key): [string, Json][] => (record[key] === undefined ? [] : [[key, record[key]]]))
  return Object.fromEntries(entries)
}

function omit(record: Body, keys: readonly string[]): Body {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
