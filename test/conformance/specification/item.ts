import type { JsonObject } from '../../../src/lib/json.ts'
import { orNull, STATUS, TEXT, values, type Kind } from './kinds.ts'
import type { PlannedChange } from './sent.ts'

export interface Field {
  readonly name: string
  readonly kind: Kind
  readonly required?: true
  /** What stands there where the field is left out. */
  readonly default?: JsonObject[string]
  /** Other fields that its values need. */
  readonly with?: JsonObject
  /** Two items differ in it. */
  readonly identifies?: true
}

export interface Item {
  readonly name: string
  readonly fields: readonly Field[]
  /** A document with these and nothing wrong beside them. */
  documentOf(items: readonly JsonObject[]): JsonObject
  /** Where in that document the item is. */
  pointerOf(index: number): string
  /** An item with its required fields, different for every number. */
  make(index: number): JsonObject
  /** The items as the plan describes them, where it does: in their order. */
  shown(changes: readonly PlannedChange[]): readonly JsonObject[]
}

export const required = (name: string, kind: Kind, more: Partial<Field> = {}): Field => ({
  name,
  kind,
  required: true,
  ...more,
})
export const optional = (name: string, kind: Kind, more: Partial<Field> = {}): Field => ({ name, kind, ...more })
export const ofDefault = (name: string, kind: Kind, value: JsonObject[string], more: Partial<Field> = {}): Field => ({
  name,
  kind,
  default: value,
  ...more,
})

export const status = ofDefault('status', STATUS, 'ACTIVATED')
export const description = ofDefault('description', orNull(TEXT), null)
export const metadata = optional(
  'metadataKeyValueStore',
  values('a list of metadata items', [[{ key: 'a', value: 1 }], []], [{}, ['a'], null]),
)

export function topLevel(
  key: string,
  name: string,
  make: Item['make'],
  fields: readonly Field[],
  beside: JsonObject = {},
): Item {
  return {
    name,
    fields,
    make,
    documentOf: (items) => ({ ...beside, [key]: [...items] }),
    pointerOf: (index) => `/${key}/${index}`,
    shown: (changes) => inOrder(changes.filter(({ type }) => type === key)),
  }
}

/** A plan has its changes in the order of their keys, and the items are numbered in them. */
export function inOrder(changes: readonly PlannedChange[]): JsonObject[] {
  return changes.map(({ after }) => after)
}
