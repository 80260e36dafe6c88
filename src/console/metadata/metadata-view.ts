import { capitalized } from '../../lib/letter-case.ts'
import { METADATA_TAGS } from '../../records/metadata.ts'
import { html, type Html } from '../../server/html.ts'
import { filledWith, type Filled } from '../form.ts'
import { form, fieldPart, selectField, send, textField } from '../parts/fields.ts'
import { pairs } from '../parts/block.ts'
import { compareShown, shownWith } from '../shown-with.ts'
import {
  fieldText,
  KEY_FIELD,
  NEW,
  sentTexts,
  shownMetadata,
  VALUE_FIELD,
  type MetadataField,
  type StoredMetadata,
} from './metadata-form.ts'
import { WRITTEN_AS } from './metadata-value.ts'

const LONG = 120

/** Names and values of metadata, with their types. */
export function metadataPairs(items: StoredMetadata): Html {
  return pairs(
    items.map(({ key, value }) => {
      const tag = typeof value === 'object' && value !== null ? Object.keys(value)[0]?.toUpperCase() : undefined
      const text = value === null ? html`<span class="soft">no value</span>` : fieldText(value)
      return [html`<code>${key}</code>`, html`${text} <span class="soft">${tag ?? ''}</span>`] as const
    }),
  )
}

interface FormOptions {
  readonly csrf: string
  readonly fields: readonly MetadataField[]
  readonly filled: Filled | null
  readonly problems: ReadonlyMap<string, string>
  readonly back: string
}

/** A field for each key by its type, and one for a key that no metadata type declares. */
export function metadataForm({ csrf, fields, filled, problems, back }: FormOptions): Html {
  const stored = shownMetadata(fields)
  const sent = filled === null ? new Map<string, string>() : sentTexts(filled)
  const left = filled === null ? [] : compareShown(filled, Object.fromEntries(sent), stored).left
  return form(
    csrf,
    html`${shownWith(stored)}
    ${fields.map((field, index) => {
      const text = (left.includes(field.key) ? null : sent.get(field.key)) ?? fieldText(field.stored)
      return oneField(field, `metadata-${index}`, text, problems.get(field.key))
    })}
    ${anotherKey(filled ?? filledWith({}), problems, fields)} ${send('Save metadata', back)}`,
  )
}

function oneField(
  { key, dataType, declared }: MetadataField,
  id: string,
  text: string,
  problem: string | undefined,
): Html {
  const unique = declared?.isUnique === true ? ' No two may have the same.' : ''
  const about = declared === null ? 'No metadata type declares it.' : (declared.description ?? '')
  const hint = `${about === '' ? '' : `${sentence(about)} `}${sentence(WRITTEN_AS[dataType])}${unique}`
  return html`<input type="hidden" name="${KEY_FIELD}" value="${key}" /> ${fieldPart(
      { id, label: html`<code>${key}</code>`, hint, problem },
      (common) => (dataType === 'BOOLEAN' ? chooser(text, common) : writer(text, dataType !== 'STRING', common)),
    )}`
}

function sentence(text: string): string {
  const begun = capitalized(text)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

function chooser(text: string, common: Html): Html {
  const choices = [
    ['', 'not set'],
    ['true', 'yes'],
    ['false', 'no'],
  ] as const
  return html`<select class="field" name="${VALUE_FIELD}" ${common}>
    ${choices.map(
      ([value, label]) => html`<option value="${value}" ${value === text ? html`selected` : null}>${label}</option>`,
    )}
  </select>`
}

function writer(text: string, isCode: boolean, common: Html): Html {
  const look = isCode ? 'field mono' : 'field'
  return text.includes('\n') || text.length > LONG
    ? html`<textarea class="${look}" name="${VALUE_FIELD}" rows="4" ${common}>${text}</textarea>`
    : html`<input class="${look}" name="${VALUE_FIELD}" value="${text}" ${common} />`
}

function anotherKey(filled: Filled, problems: ReadonlyMap<string, string>, fields: readonly MetadataField[]): Html {
  const key = filled.text(`${NEW}-key`)
  const known = new Set(fields.map((field) => field.key))
  const problem = problems.get('') ?? (known.has(key) ? undefined : problems.get(key))
  const kinds = Object.keys(METADATA_TAGS).map((name) => ({ value: name, label: name }))
  return html`<details ${key === '' ? null : html`open`}>
    <summary>Another key</summary>
    <div class="form">
      ${textField(filled, { name: `${NEW}-key`, label: 'Key', isCode: true, ...(problem !== undefined && { problem }) })}
      ${selectField(filled, { name: `${NEW}-kind`, label: 'Kind of value' }, kinds)}
      ${textField(filled, { name: `${NEW}-value`, label: 'Value', hint: 'Of BOOLEAN: true or false.' })}
    </div>
  </details>`
}
