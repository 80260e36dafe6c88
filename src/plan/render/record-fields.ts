import { canonicalText, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { splitKey } from '../../records/identity.ts'
import { recordType } from '../../records/registry.ts'
import { definition, fieldsOf } from '../../records/shape.ts'
import { diffFields, member, type FieldChange, itemsByKey, keyFieldOf } from './field-diff.ts'
import type { Change, SecretState } from '../plan.ts'
import { flowText, valueText } from './value-text.ts'

/** A field of a record that is created or deleted. */
interface FieldValue {
  readonly name: string
  readonly text: string
}

const LONGEST_VALUE = 72

type Compared = Pick<Change, 'type' | 'key' | 'from' | 'before' | 'after'>

/**
 * The changed fields of an update or a move, in the order of the specification, without fields that the keys show
 * already.
 */
export function changedFields({ type, key, from, before, after }: Compared): FieldChange[] {
  if (before === null || after === null) return []
  const said = (name: string) => isInKey(type, name, before, from ?? key) && isInKey(type, name, after, key)
  return fieldNames(type, before, after)
    .filter((name) => !said(name))
    .flatMap((name) => diffFields(member(before, name), member(after, name), nameText(name)))
}

/** The fields of a record, except fields that its key shows and fields with their default value. */
export function fieldValues(type: Change['type'], key: string, body: JsonObject): FieldValue[] {
  const defaults = new Map(fieldsOf(recordType(type).definition).map(({ name, defaultValue }) => [name, defaultValue]))
  return fieldNames(type, body, {})
    .filter((name) => !isInKey(type, name, body, key) && !isEqual(member(body, name), defaults.get(name)))
    .map((name) => ({ name: nameText(name), text: summaryText(member(body, name) ?? null) }))
}

/** The state of a record's secret as a field; null for records without a secret. */
export function secretText({ type, action, secret }: Pick<Change, 'type' | 'action' | 'secret'>): FieldValue | null {
  const name = recordType(type).secret
  if (name === undefined || secret === undefined) return null
  // A new record's own secret does not count as a change.
  if (action === 'create') return { name, text: secret === 'changed' ? '(secret)' : `(secret, ${secret})` }
  return { name, text: `(secret, ${secret})${CONSEQUENCES[secret] ?? ''}` }
}

/** The consequence for programs that sign in with the replaced secret. */
const CONSEQUENCES: { readonly [state in SecretState]?: string } = {
  generated: ': nobody knows it, and the old secret no longer works',
  'no longer generated': ': everybody who knows the new one can sign in',
}

/** Shortens the name, because plans also come from files, where a field may have any name. */
function nameText(name: string): string {
  return valueText(name, 60)
}

function fieldNames(type: Change['type'], ...bodies: readonly JsonObject[]): string[] {
  const present = new Set(bodies.flatMap((body) => Object.keys(body)))
  const known = Object.keys(definition(recordType(type).definition).properties ?? {}).filter((name) =>
    present.delete(name),
  )
  return [...known, ...[...present].sort()]
}

function isInKey(type: Change['type'], name: string, body: JsonObject, key: string): boolean {
  const value = member(body, name)
  return typeof value === 'string' && recordType(type).identity.includes(name) && splitKey(key).includes(value)
}

function isEqual(value: Json | undefined, other: Json | undefined): boolean {
  return value !== undefined && other !== undefined && canonicalText(value) === canonicalText(other)
}

/**
 * A short text of a value. A list of named items shows the names, because the reader finds the items in the file that
 * the change names.
 */
function summaryText(value: Json): string {
  if (!Array.isArray(value)) return valueText(value, LONGEST_VALUE)
  const field = keyFieldOf(value)
  if (field === null) return valueText(value, LONGEST_VALUE)
  const items = [...itemsByKey(value, field)]
  const isMap = value.every((item) => isObject(item) && 'value' in item && Object.keys(item).length === 2)
  return valueText(
    isMap ? Object.fromEntries(items.map(([key, item]) => [key, onlyMember(item)])) : items.map(([key]) => key),
    LONGEST_VALUE,
  )
}

/** `40001` for `{integer: 40001}`: the tag matters in a comparison, but not in a summary. */
function onlyMember(value: Json): Json {
  if (!isObject(value)) return value
  const [only, ...others] = Object.values(value)
  return only === undefined || others.length > 0 ? flowText(value) : only
}
