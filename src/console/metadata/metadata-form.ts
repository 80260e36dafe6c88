import type { MetadataItem } from '../../../generated/import-document.ts'
import type { DeclaredMetadata } from '../../platform/records/metadata-types.ts'
import { entriesOf } from '../../lib/entries.ts'
import { isObject } from '../../lib/json.ts'
import { METADATA_TAGS, type MetadataDataType } from '../../records/metadata.ts'
import type { Filled } from '../form.ts'
import { compareShown, nowText, type ShownValues } from '../shown-with.ts'
import { readMetadataValue, taggedAs } from './metadata-value.ts'

/** A field of the form: a key that the model declares, or one that is there all the same. */
export interface MetadataField {
  readonly key: string
  readonly dataType: MetadataDataType
  readonly declared: DeclaredMetadata | null
  /** The stored value; undefined if there is none. */
  readonly stored: unknown
}

/** The metadata of a record or of an entity, whose values have types of their own. */
export type StoredMetadata = readonly { readonly key: string; readonly value: unknown }[]

/** Declared keys first, each by name. */
export function metadataFieldsOf(
  declared: readonly DeclaredMetadata[],
  stored: StoredMetadata,
): readonly MetadataField[] {
  const values = new Map(stored.map(({ key, value }) => [key, value]))
  const known = new Set(declared.map(({ key }) => key))
  return [
    ...declared.map((one) => ({ key: one.key, dataType: one.dataType, declared: one, stored: values.get(one.key) })),
    ...stored
      .filter(({ key }) => !known.has(key))
      .map(({ key, value }) => ({ key, dataType: kindOf(value), declared: null, stored: value })),
  ]
}

function kindOf(value: unknown): MetadataDataType {
  const tag = isObject(value) ? Object.keys(value)[0] : undefined
  return entriesOf(METADATA_TAGS).find(([, name]) => name === tag)?.[0] ?? 'STRING'
}

function plainOf(value: unknown): string | number | boolean | null {
  const plain: unknown = isObject(value) ? Object.values(value)[0] : value
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : null
}

/** A stored value as it is written. */
function asItIs(value: unknown): MetadataItem['value'] {
  const plain = plainOf(value)
  return plain === null || !isObject(value) ? plain : taggedAs(kindOf(value), plain)
}

/** The text of a value in its field. */
export function fieldText(value: unknown): string {
  const plain = plainOf(value)
  return plain === null ? '' : String(plain)
}

export interface ReadMetadata {
  readonly items: readonly MetadataItem[]
  /** The problems, by key. */
  readonly problems: ReadonlyMap<string, string>
  /** Whether somebody else has changed what was shown, too. */
  readonly isDisputed: boolean
}

/** The name of the field that names the key of another one. A page may have been shown before the model was changed. */
export const KEY_FIELD = 'metadata-key'
export const VALUE_FIELD = 'metadata-value'
export const NEW = 'metadata-new'

/** The texts of the form by their keys. */
export function sentTexts(filled: Filled): ReadonlyMap<string, string> {
  const [keys, texts] = [filled.all(KEY_FIELD), filled.all(VALUE_FIELD)]
  return new Map(keys.map((key, index) => [key, (texts[index] ?? '').replaceAll('\r\n', '\n')]))
}

/** The stored values, as the form shows them. */
export function shownMetadata(fields: readonly MetadataField[]): ShownValues {
  return Object.fromEntries(fields.map(({ key, stored }) => [key, fieldText(stored)]))
}

/** Reads the form. A value whose text its sender has not changed stays exactly as it is stored. */
export function readMetadata(fields: readonly MetadataField[], filled: Filled): ReadMetadata {
  const sent = sentTexts(filled)
  const stored = shownMetadata(fields)
  const { left, disputed } = compareShown(filled, Object.fromEntries(sent), stored)
  const items: MetadataItem[] = []
  const problems = new Map<string, string>()
  const add = (key: string, read: ReturnType<typeof readMetadataValue>) => {
    if ('problem' in read) problems.set(key, read.problem)
    else items.push({ key, value: read.value })
  }
  for (const { key, dataType, stored } of fields) {
    const text = sent.get(key)
    if (text === undefined || text === fieldText(stored) || left.includes(key)) {
      if (stored !== undefined) items.push({ key, value: asItIs(stored) })
    } else if (text !== '') add(key, readMetadataValue(text, dataType))
  }
  for (const key of disputed) problems.set(stored[key] === undefined ? '' : key, disputeOf(key, stored[key]))
  const isDisputed = disputed.length > 0
  const another = filled.text(`${NEW}-key`)
  if (another === '') return { items, problems, isDisputed }
  if (fields.some(({ key }) => key === another)) problems.set('', 'there is a field for this key above')
  else add(another, readMetadataValue(filled.exact(`${NEW}-value`), kindNamed(filled.text(`${NEW}-kind`))))
  return { items, problems, isDisputed }
}

function disputeOf(key: string, stored: ShownValues[string] | undefined): string {
  if (stored !== undefined) return nowText(stored)
  return `somebody else has removed the key ${key}, for which you have written a value; add it here`
}

function kindNamed(name: string): MetadataDataType {
  return entriesOf(METADATA_TAGS).find(([dataType]) => dataType === name)?.[0] ?? 'STRING'
}

/** At which field a refusal of the platform is told: those of metadata name the key. */
export function keyRefused(message: string, items: readonly MetadataItem[]): string | null {
  return items.find(({ key }) => message.includes(`metadata ${JSON.stringify(key)}`))?.key ?? null
}
