import type { ImportDocument } from '../../generated/import-document.ts'
import type { HoldfastSettings } from '../../generated/settings.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import type { UnionType } from '../lib/type-text.ts'
import type { MetadataDataType } from './metadata.ts'

/** The keys of the import document, in the order of the specification (section 2). */
export const DOCUMENT_TYPE_NAMES = [
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
export type DocumentTypeName = (typeof DOCUMENT_TYPE_NAMES)[number]

/**
 * Grants are planned, written and stored like records. They are in `holdfast.yaml` and not in the import document, so a
 * plan shows them separately from the changes of the data model.
 */
export const ACCESS = 'access'

/** The names of all types that a plan can change. */
export const PLANNED_TYPE_NAMES = [...DOCUMENT_TYPE_NAMES, ACCESS] as const

export type RecordTypeName = (typeof PLANNED_TYPE_NAMES)[number]

/** Tells whether a name is a key of the import document. */
export function isDocumentTypeName(name: string): name is DocumentTypeName {
  return (DOCUMENT_TYPE_NAMES as readonly string[]).includes(name)
}

export function isRecordTypeName(name: string): name is RecordTypeName {
  return (PLANNED_TYPE_NAMES as readonly string[]).includes(name)
}

/** The canonical body of a record as it is stored, without its secret, embedded links and nested children. */
export type RecordBody = JsonObject

/** Names a record within its domain. */
export interface RecordKey {
  readonly type: RecordTypeName
  readonly key: string
}

/** A field that names another record. */
export interface ReferenceField {
  readonly path: readonly [string, ...string[]]
  readonly type: RecordTypeName
  /** Whether the field contains a whole key, such as the path of an organization unit, and not one part of it. */
  readonly isKey?: boolean
  /** Whether the record belongs to the referenced record, and is deleted with it. */
  readonly owner: boolean
}

/** A list inside a record. Its items are another spelling of records of another type. */
export interface EmbeddedList {
  readonly field: string
  readonly into: RecordTypeName
  /** The record that one item of the list represents. */
  toRecord(owner: JsonObject, item: JsonObject): JsonObject
  /** The field of the item's record that names the owner of the list. */
  readonly ownerField: string
}

/** The fields that contain child records of the same type, at any depth: the list's name at the root and below. */
interface TreeFields {
  readonly root: string
  readonly below: string
}

/** The data type and the uniqueness of one metadata key for one kind of entity. */
export interface MetadataRule {
  readonly entity: string
  readonly key: string
  readonly dataType: MetadataDataType
  readonly unique: boolean
}

/** The types of fields in TypeScript, by name. */
export type ClientFields = ReadonlyMap<string, UnionType>

export type Report = (
  severity: 'error' | 'warning',
  code: string,
  path: readonly (string | number)[],
  message: string,
) => void

/** Everything that is known about one record type. The rest is derived (see `registry.ts`). */
export interface RecordType {
  readonly name: RecordTypeName
  /** The name of a single record: its definition in the JSON Schema and its GraphQL type. */
  readonly definition: string
  /** The fields that form the key. */
  readonly identity: readonly [string, ...string[]]
  /** The fields that form the key of this record, if it does not use all of `identity`. */
  identifiedBy?(body: JsonObject): readonly string[]
  /** The parts of the key, if they differ from the values of the identity fields. */
  identify?(body: JsonObject): readonly string[]
  /** The canonical form of one part of a key, if people may write it in several ways. */
  comparedPart?(part: string, index: number, parts: readonly string[]): string
  /** Returns the body with another key, if setting the identity fields is not enough. */
  rename?(body: RecordBody, parts: readonly string[]): RecordBody
  readonly references?: readonly ReferenceField[]
  readonly embedded?: readonly EmbeddedList[]
  readonly tree?: TreeFields
  /** The field that contains a secret. */
  readonly secret?: string
  /** The kind of the secret. People may choose a password themselves, so its hash must be slow. */
  readonly secretKind?: 'password' | 'client-secret'
  /** How records of this type sign in: as a client on behalf of others, as a machine on its own, or as a person. */
  readonly signsIn?: 'client' | 'machine' | 'person'
  /** The keys that are reserved for the platform's own records. Documents must not use them. */
  readonly reserved?: readonly string[]
  /** Arrays in which the order has no meaning. */
  readonly sets?: readonly string[]
  /** Arrays in which empty differs from not set. In all other arrays, both mean the same. */
  readonly emptyIsSet?: readonly string[]
  /** The `entityType` of the MetadataTypes for this record's metadata. `depth` counts from 0 at the root of a tree. */
  metadataEntity?(depth: number): string
  /** The fields with integers of any size, which are texts beyond 2^53. Called before the record is checked. */
  wholeNumbers?(unchecked: { readonly [field: string]: unknown }): readonly string[]
  /** Normalises equal values to one form, by field. It is not called for null or absent values. */
  readonly canonical?: { readonly [field: string]: (value: Json, body: JsonObject) => Json }
  /**
   * Checks the body beyond the JSON Schema. Members of a wrong shape, even required ones, were removed from the body,
   * so that one run reports all mistakes.
   */
  check?(body: JsonObject, report: Report): void
  /** Checks the body that will be stored, which combines fields of the document and of the platform. */
  checkStored?(body: RecordBody, report: Report): void
  /** The rule for metadata of other records that a record of this type defines. */
  metadataRule?(body: JsonObject): MetadataRule
  /** How a change of the definition changes the type of values, in words; null if it does not. */
  retypes?(before: RecordBody, after: RecordBody): string | null
  /** Explains why a change may make stored values invalid, so that each must be checked; null if all stay valid. */
  narrows?(before: RecordBody, after: RecordBody): string | null
  /** Explains how a change gives stored values another meaning; null if it does not. */
  relabels?(before: RecordBody, after: RecordBody): string | null
  /** Explains how a change gives stored events another meaning; null if it does not. */
  restatesEvents?(before: RecordBody, after: RecordBody): string | null
  /** The fields of a record in the types that clients generate; left out if those do not show such records. */
  clientFields?(body: RecordBody): ClientFields
  /** Whether datapoints are only accepted while the status of the record is ACTIVATED. */
  readonly takesData?: boolean
  /** The fate of the data behind a deleted record: it is deleted too, or it stays and new data is rejected. */
  readonly dataOfDeleted?: 'goes' | 'stays'
}

/** A record type with a name that the compiler knows. */
export type Named<Name extends RecordTypeName> = RecordType & { readonly name: Name }

/** A record in the import document or the settings. The type is generated from the JSON Schema. */
type BodyOf<Name extends RecordTypeName> = Required<ImportDocument & HoldfastSettings>[Name][number]

type Fields<Body> = Extract<keyof Body, string>

/** A declaration whose field names are checked against the type of the record. */
interface RecordTypeDeclaration<Name extends RecordTypeName, Body = BodyOf<Name>> extends Omit<
  RecordType,
  | 'name'
  | 'identity'
  | 'identifiedBy'
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
  readonly name: Name
  readonly identity: readonly [Fields<Body>, ...Fields<Body>[]]
  identifiedBy?(body: Partial<Body>): readonly Fields<Body>[]
  identify?(body: Body): readonly string[]
  readonly references?: readonly (ReferenceField & { readonly path: readonly [Fields<Body>, ...string[]] })[]
  readonly secret?: Fields<Body>
  readonly sets?: readonly Fields<Body>[]
  readonly emptyIsSet?: readonly Fields<Body>[]
  readonly canonical?: { readonly [field in Fields<Body>]?: (value: Json, body: Body) => Json }
  check?(body: Partial<Body>, report: Report): void
  checkStored?(body: Body, report: Report): void
  wholeNumbers?(unchecked: { readonly [field: string]: unknown }): readonly Fields<Body>[]
  metadataRule?(body: Body): MetadataRule
}

/**
 * Checks a declaration against the type of its body, and then drops that type, because the registry handles all record
 * types alike. A body has passed the JSON Schema before a function of its declaration sees it.
 */
export function declareRecordType<Name extends RecordTypeName>(declaration: RecordTypeDeclaration<Name>): Named<Name> {
  return declaration as unknown as Named<Name>
}
