import type { MetadataItem } from '../../../generated/import-document.ts'
import type { DeclaredMetadata } from '../../platform/records/metadata-types.ts'
import { entriesOf } from '../../lib/entries.ts'
import { isObject, type Json } from '../../lib/json.ts'
import { capitalized } from '../../lib/letter-case.ts'
import { METADATA_TAGS, type MetadataDataType } from '../../records/metadata.ts'
import { html, type Html } from '../../server/html.ts'
import type { FormField } from '../declared/form-field.ts'
import type { Filled } from '../form.ts'
import { fieldPart } from '../parts/fields.ts'
import { readMetadataValue, taggedAs, WRITTEN_AS } from './metadata-value.ts'

/** The metadata of a record or of an entity, whose values have types of their own. */
export type StoredMetadata = readonly { readonly key: string; readonly value: unknown }[]

/** The field of a key that the model declares, or of one that is there all the same. */
export interface MetadataField extends FormField {
  readonly key: string
  /** The stored value as it is written; undefined where there is none. */
  readonly stored: MetadataItem['value'] | undefined
}

const LONG = 120
const BEGIN = 'metadata '

export function fieldName(key: string): string {
  return BEGIN + key
}

/**
 * Declared keys first, each by name, then those that are stored all the same, and those that somebody has written a value
 * for while somebody else has removed them.
 */
export function metadataFields(
  declared: readonly DeclaredMetadata[],
  stored: StoredMetadata,
  filled: Filled | null,
): readonly MetadataField[] {
  const values = new Map(stored.map(({ key, value }) => [key, value]))
  const rules = new Map(declared.map((rule) => [rule.key, rule]))
  const sent = filled?.names().flatMap((name) => (name.startsWith(BEGIN) ? [name.slice(BEGIN.length)] : [])) ?? []
  const keys = new Set([...rules.keys(), ...values.keys(), ...sent])
  return [...keys].map((key, index) => metadataField(key, index, rules.get(key), values.get(key)))
}

function metadataField(
  key: string,
  index: number,
  declared: DeclaredMetadata | undefined,
  stored: unknown,
): MetadataField {
  const name = fieldName(key)
  const dataType = declared?.dataType ?? kindOf(stored)
  return {
    key,
    name,
    stored: stored === undefined ? undefined : asItIs(stored),
    isChosen: false,
    isRequired: false,
    shownOf: fieldText,
    show: (filled) =>
      fieldPart(
        {
          id: `metadata-${index}`,
          label: html`<code>${key}</code>`,
          hint: hintOf(dataType, declared),
          problem: filled.problemOf(name),
        },
        (common) =>
          (dataType === 'BOOLEAN' ? chooser : writer)(filled.exact(name), dataType, html`name="${name}" ${common}`),
      ),
    read(filled, refuse): Json {
      const text = filled.exact(name).replaceAll('\r\n', '\n')
      if (text === '') return null
      const read = readMetadataValue(text, dataType)
      if ('value' in read) return read.value as Json
      refuse(read.problem)
      return null
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

const ANSWERS = [
  ['', 'not set'],
  ['true', 'yes'],
  ['false', 'no'],
] as const

function chooser(text: string, _: MetadataDataType, common: Html): Html {
  return html`<select class="field" ${common}>
    ${ANSWERS.map(([value, label]) => html`<option value="${value}" ${value === text ? html`selected` : null}>${label}</option>`)}
  </select>`
}

function writer(text: string, dataType: MetadataDataType, common: Html): Html {
  const look = dataType === 'STRING' ? 'field' : 'field mono'
  return text.includes('\n') || text.length > LONG
    ? html`<textarea class="${look}" rows="4" ${common}>${text}</textarea>`
    : html`<input class="${look}" value="${text}" ${common} />`
}

export function tagOf(value: unknown): string | undefined {
  return isObject(value) ? Object.keys(value)[0] : undefined
}

function kindOf(value: unknown): MetadataDataType {
  return kindNamed(entriesOf(METADATA_TAGS).find(([, tag]) => tag === tagOf(value))?.[0])
}

export function kindNamed(name: string | undefined): MetadataDataType {
  return entriesOf(METADATA_TAGS).find(([dataType]) => dataType === name)?.[0] ?? 'STRING'
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
