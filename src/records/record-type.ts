import type { Json, JsonObject } from '../lib/json.ts'

/** The keys of the import document, in the order of the specification (section 2). */
export const RECORD_TYPE_NAMES = [
  'applicationConsumers',
  'characteristics',
  'characteristicServiceLinks',
  'componentModels',
  'dataSources',
  'eventModels',
  'machineUsers',
  'metadataTypes',
  'services',
  'serviceComponentModelLinks',
  'organizations',
  'users',
] as const

/** A key of the import document. */
export type DocumentTypeName = (typeof RECORD_TYPE_NAMES)[number]

/**
 * Grants are planned, written and kept like records. They are described in `holdfast.yaml`, which is no part of the
 * import document, so a plan shows them apart from the changes of the data model.
 */
export const ACCESS = 'access'

/** All that a plan can change. */
export const PLANNED_TYPE_NAMES = [...RECORD_TYPE_NAMES, ACCESS] as const

export type RecordTypeName = (typeof PLANNED_TYPE_NAMES)[number]

/** Whether it is a key of the import document. */
export function isDocumentTypeName(name: string): name is DocumentTypeName {
  return (RECORD_TYPE_NAMES as readonly string[]).includes(name)
}

export function isRecordTypeName(name: string): name is RecordTypeName {
  return (PLANNED_TYPE_NAMES as readonly string[]).includes(name)
}

/** The canonical body of a record: what is stored, without secret, embedded links and nested children. */
export type RecordBody = JsonObject

/** Names a record within its domain. */
export interface RecordKey {
  readonly type: RecordTypeName
  readonly key: string
}

/** A field that holds the key of another record. */
export interface ReferenceField {
  readonly path: readonly [string, ...string[]]
  readonly type: RecordTypeName
  /** Whether the field holds a whole key, such as the path of an organization unit, and not one part of it. */
  readonly isKey?: boolean
  /** The record is part of the one it refers to and is deleted with it. */
  readonly owner: boolean
}

/** A list inside a record that is another spelling of records of another type (semantics, section 3). */
export interface EmbeddedList {
  readonly field: string
  readonly into: RecordTypeName
  /** The record that one item of the list stands for. */
  toRecord(owner: JsonObject, item: JsonObject): JsonObject
  /** The field of that record which names the owner of the list. */
  readonly ownerField: string
}

/** Records that hold records of their own type, to any depth: the list's name at the root and below it. */
export interface TreeFields {
  readonly root: string
  readonly below: string
}

/** Data type and uniqueness of one metadata key on one kind of entity. */
export interface MetadataRule {
  readonly entity: string
  readonly key: string
  readonly dataType: string
  readonly unique: boolean
}

export type Report = (
  severity: 'error' | 'warning',
  code: string,
  path: readonly (string | number)[],
  message: string,
) => void

/** Everything that Holdfast knows about one record type; the rest is derived (see `registry.ts`). */
export interface RecordType {
  readonly name: RecordTypeName
  /** The name of one record: its definition in the JSON Schema and its GraphQL type. */
  readonly definition: string
  /** The fields that make the key. */
  readonly identity: readonly [string, ...string[]]
  /** The parts of the key, where they are not simply the values of the identity fields. */
  identify?(body: JsonObject): readonly string[]
  /** One part of a key as keys are compared, where people may write it in several ways. */
  comparedPart?(part: string, index: number, parts: readonly string[]): string
  /** The same body under another key, where it is not enough to set the identity fields. */
  rename?(body: RecordBody, parts: readonly string[]): RecordBody
  readonly references?: readonly ReferenceField[]
  readonly embedded?: readonly EmbeddedList[]
  readonly tree?: TreeFields
  /** The field that holds a secret. */
  readonly secret?: string
  /** What the secret is: a person or program types a password, so guessing one must be slow. */
  readonly secretKind?: 'password' | 'client-secret'
  /** Who can sign in with a record of this type: a program on behalf of others, a program on its own, a person. */
  readonly signsIn?: 'client' | 'machine' | 'person'
  /** Keys of records that the platform has for itself: no document may take their places. */
  readonly reserved?: readonly string[]
  /** Arrays whose order means nothing. */
  readonly sets?: readonly string[]
  /** Arrays in which empty says something else than not set; in all others the two are one. */
  readonly emptyIsSet?: readonly string[]
  /** The `entityType` of the MetadataTypes that rule this record's metadata; `depth` counts from 0 at the root of a tree. */
  metadataEntity?(depth: number): string
  /** The fields of a record that hold a whole number of any size: beyond 2^53 as text. */
  wholeNumbers?(body: JsonObject): readonly string[]
  /** One spelling for equal values, field by field. Called with values that are neither null nor absent. */
  readonly canonical?: { readonly [field: string]: (value: Json, body: JsonObject) => Json }
  /** Checks that the JSON Schema cannot express; called with a body that satisfies the schema. */
  check?(body: JsonObject, report: Report): void
  /** What a record must have in the end, whether a document says it or the platform has it. */
  checkStored?(body: RecordBody, report: Report): void
  /** What a record of this type rules about the metadata of others. */
  metadataRule?(body: JsonObject): MetadataRule
  /** How values are of another type after a change of the definition; null where they are not. */
  retypes?(before: RecordBody, after: RecordBody): string | null
  /** Why some stored values may no longer be valid after it, so that each must be looked at; null where all are. */
  narrows?(before: RecordBody, after: RecordBody): string | null
  /** How stored values, kept as they are, mean something else after it; null where they do not. */
  relabels?(before: RecordBody, after: RecordBody): string | null
  /** What becomes of the data behind a record that is deleted: it goes with it, or it stays and no more is taken. */
  readonly dataOfDeleted?: 'goes' | 'stays'
}

type Fields<Body> = Extract<keyof Body, string>

/** A declaration whose field names are checked against the type generated from the JSON Schema. */
export interface RecordTypeDeclaration<Body extends object> extends Omit<
  RecordType,
  | 'identity'
  | 'identify'
  | 'references'
  | 'secret'
  | 'sets'
  | 'emptyIsSet'
  | 'canonical'
  | 'check'
  | 'checkStored'
  | 'wholeNumbers'
  | 'metadataRule'
> {
  readonly identity: readonly [Fields<Body>, ...Fields<Body>[]]
  identify?(body: Body): readonly string[]
  readonly references?: readonly (ReferenceField & { readonly path: readonly [Fields<Body>, ...string[]] })[]
  readonly secret?: Fields<Body>
  readonly sets?: readonly Fields<Body>[]
  readonly emptyIsSet?: readonly Fields<Body>[]
  readonly canonical?: { readonly [field in Fields<Body>]?: (value: Json, body: Body) => Json }
  check?(body: Body, report: Report): void
  checkStored?(body: Body, report: Report): void
  wholeNumbers?(body: Body): readonly Fields<Body>[]
  metadataRule?(body: Body): MetadataRule
}

/** Forgets the body's type after checking it: the registry treats all record types alike. */
export function declareRecordType<Body extends object>(declaration: RecordTypeDeclaration<Body>): RecordType {
  return declaration as unknown as RecordType
}
