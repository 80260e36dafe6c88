import type { MetadataItem } from '../../../generated/import-document.ts'
import type { DeclaredMetadata } from '../../platform/records/metadata-types.ts'
import { entriesOf } from '../../lib/entries.ts'
import { isObject } from '../../lib/json.ts'
import { capitalized } from '../../lib/letter-case.ts'
import { METADATA_TAGS, type MetadataDataType } from '../../records/metadata.ts'
import { html } from '../../server/html.ts'
import type { FormField } from '../declared/form-field.ts'
import type { Filled } from '../form.ts'
import { selectField, textField } from '../parts/fields.ts'
import { readMetadataValue, WRITTEN_AS } from './metadata-value.ts'

/** The metadata of a record or of an entity. */
export type StoredMetadata = readonly MetadataItem[]

const BEGIN = 'metadata '

export function fieldName(key: string): string {
  return BEGIN + key
}

/** The key of a field that has this name. */
export function keyOfField({ name }: Pick<FormField, 'name'>): string {
  return name.slice(BEGIN.length)
}

/**
 * The fields, in this order: keys that the model declares, by name; other stored keys; and keys that the form contains
 * but somebody has deleted meanwhile.
 */
export function metadataFields(
  declared: readonly DeclaredMetadata[],
  stored: StoredMetadata,
  filled: Filled | null,
): readonly FormField[] {
  const values = new Map(stored.map(({ key, value }) => [key, value]))
  const rules = new Map(declared.map((rule) => [rule.key, rule]))
  const sent = filled?.names().filter((name) => name.startsWith(BEGIN)) ?? []
  const keys = new Set([...rules.keys(), ...values.keys(), ...sent.map((name) => keyOfField({ name }))])
  return [...keys].map((key, index) => {
    const rule = rules.get(key)
    return metadataField(key, `metadata-${index}`, rule?.dataType ?? kindOf(values.get(key)), rule)
  })
}

const ANSWERS = [
  { value: '', label: 'not set' },
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
]

function metadataField(
  key: string,
  id: string,
  dataType: MetadataDataType,
  declared: DeclaredMetadata | undefined,
): FormField {
  const name = fieldName(key)
  const look = { name, id, label: html`<code>${key}</code>`, hint: hintOf(dataType, declared) }
  return {
    name,
    isChosen: false,
    isRequired: false,
    shownOf: fieldText,
    show: (filled) =>
      dataType === 'BOOLEAN'
        ? selectField(filled, look, ANSWERS)
        : textField(filled, { ...look, isCode: dataType !== 'STRING' }),
    read(filled, refuse) {
      const text = filled.exact(name).replaceAll('\r\n', '\n')
      const read = text === '' ? { value: null } : readMetadataValue(text, dataType)
      if ('problem' in read) refuse(read.problem)
      return 'value' in read ? read.value : null
    },
  }
}

function hintOf(dataType: MetadataDataType, declared: DeclaredMetadata | undefined): string {
  const about = declared === undefined ? 'No metadata type declares it.' : (declared.description ?? '')
  const unique = declared?.isUnique === true ? ['No two may have the same.'] : []
  return [about, WRITTEN_AS[dataType], ...unique]
    .filter((text) => text !== '')
    .map(sentence)
    .join(' ')
}

function sentence(text: string): string {
  const begun = capitalized(text)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** The data type of a tagged value. Plain values are texts. */
function kindOf(value: unknown): MetadataDataType {
  const [tag] = isObject(value) ? Object.keys(value) : []
  return entriesOf(METADATA_TAGS).find(([, name]) => name === tag)?.[0] ?? 'STRING'
}

/** The text of a value in its field. */
export function fieldText(value: unknown): string {
  const plain: unknown = isObject(value) ? Object.values(value)[0] : value
  return plain === null || plain === undefined ? '' : String(plain)
}
