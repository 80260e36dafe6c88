import type { MetadataItem } from '../../../generated/import-document.ts'
import { listDeclaredMetadata } from '../../platform/records/metadata-types.ts'
import { keysOf } from '../../lib/entries.ts'
import { isObject } from '../../lib/json.ts'
import { METADATA_TAGS } from '../../records/metadata.ts'
import { html, type Html } from '../../server/html.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { FormField } from '../declared/form-field.ts'
import { changeForm, readFields } from '../declared/form.ts'
import { filledWith, withProblems, type Filled } from '../form.ts'
import type { ConsolePage, Crumb, Redirect, View, Visit } from '../page.ts'
import { block, empty, pairs } from '../parts/block.ts'
import { selectField, textField } from '../parts/fields.ts'
import { orRefused } from '../parts/refused.ts'
import { fieldName, fieldText, keyOfField, metadataFields, type StoredMetadata } from './metadata-fields.ts'
import { readMetadataValue } from './metadata-value.ts'

/** An object whose metadata is edited. */
export interface MetadataHolder {
  /** The kind that metadata types name, such as `SYSTEM`. */
  readonly entity: string
  readonly name: string
  readonly stored: StoredMetadata
  readonly crumbs: readonly Crumb[]
  /** The address of the holder's page. */
  readonly home: string
  /** A notice above the form, such as that Git manages the metadata. */
  readonly before?: Html | null
  /** The other fields of the object, if no other page shows them. */
  readonly beside?: Html
  save(items: readonly MetadataItem[]): Promise<unknown>
}

interface MetadataPage extends Omit<ConsolePage, 'show' | 'receive'> {
  find(visit: Visit): Promise<MetadataHolder>
}

/** A page with a field for each metadata key, and one field to add a key that no metadata type declares. */
export function metadataPage({ find, ...page }: MetadataPage): ConsolePage {
  return {
    ...page,
    show: async (visit) => view(visit, await find(visit), null, null),
    receive: (visit, filled) =>
      orRefused(
        async () => save(visit, await find(visit), filled),
        async (problem, details) => view(visit, await find(visit), problem, withProblems(filled, details)),
      ),
  }
}

async function fieldsOf({ context }: Visit, { entity, stored }: MetadataHolder, filled: Filled | null) {
  return metadataFields(await listDeclaredMetadata(context, entity), stored, filled)
}

type Values = { readonly [name: string]: MetadataItem['value'] }

function valuesOf(stored: StoredMetadata): Values {
  return Object.fromEntries(stored.map(({ key, value }) => [fieldName(key), value]))
}

async function view(visit: Visit, holder: MetadataHolder, problem: Html | null, filled: Filled | null): Promise<View> {
  const { entity, name, stored, crumbs, home: back, before = null, beside = null } = holder
  const fields = await fieldsOf(visit, holder, filled)
  const more = anotherKey(filled ?? filledWith({}))
  const form = { csrf: visit.csrf, fields, values: valuesOf(stored), filled, more, button: 'Save metadata', back }
  return {
    title: `Metadata of ${name}`,
    crumbs,
    verdict: html`The form has a field for each key that the model declares for <code>${entity}</code>. An empty field
      is no value.`,
    body: html`${problem ?? before}
      <div class="blocks">${changeForm(form)} ${beside}</div>`,
  }
}

const NEW = { key: 'metadata-new-key', kind: 'metadata-new-kind', value: 'metadata-new-value' }

function anotherKey(filled: Filled): Html {
  const kinds = Object.keys(METADATA_TAGS).map((name) => ({ value: name, label: name }))
  return html`<details ${filled.text(NEW.key) === '' ? null : html`open`}>
    <summary>Another key</summary>
    <div class="form">
      ${textField(filled, { name: NEW.key, label: 'Key', isCode: true })}
      ${selectField(filled, { name: NEW.kind, label: 'Kind of value' }, kinds)}
      ${textField(filled, { name: NEW.value, label: 'Value', hint: 'Of BOOLEAN: true or false.' })}
    </div>
  </details>`
}

/** Saves the metadata. A value whose text is unchanged stays exactly as it is stored. */
async function save(visit: Visit, holder: MetadataHolder, filled: Filled): Promise<Redirect> {
  const fields = await fieldsOf(visit, holder, filled)
  const values: Values = valuesOf(holder.stored)
  const changed = readFields<Values>(fields, filled, values)
  const items = fields.flatMap((field) => {
    const value = field.name in changed ? (changed[field.name] ?? undefined) : values[field.name]
    return value === undefined ? [] : [{ key: keyOfField(field), value }]
  })
  const all = [...items, ...anotherItem(filled, fields)]
  await holder.save(all).catch((error: unknown) => {
    throw atKey(error, all)
  })
  return { to: holder.home }
}

function anotherItem(filled: Filled, known: readonly FormField[]): readonly MetadataItem[] {
  const key = filled.text(NEW.key)
  if (key === '') return []
  if (known.some((field) => keyOfField(field) === key)) throw refused(NEW.key, 'there is a field for this key above')
  const [kind = 'STRING'] = keysOf(METADATA_TAGS).filter((name) => name === filled.text(NEW.kind))
  const read = readMetadataValue(filled.exact(NEW.value), kind)
  if ('problem' in read) throw refused(NEW.value, read.problem)
  return [{ key, value: read.value }]
}

function refused(field: string, message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message, { details: [{ field, message }] })
}

/** Adds an error about metadata to the field of the key that it names. */
function atKey(error: unknown, items: readonly MetadataItem[]): unknown {
  if (!(error instanceof HoldfastError)) return error
  const { code, message } = error
  const begins = items.map(({ key }) => ({ key, begin: `metadata ${JSON.stringify(key)}` }))
  const found = begins.find(({ begin }) => message.includes(begin))
  if (found === undefined) return error
  const own = { field: fieldName(found.key), message: message.split(`${found.begin}: `).at(-1) ?? message }
  return new HoldfastError(code, message, { details: [own, { ...own, field: NEW.key }], cause: error })
}

/** Names, values and types of metadata, with a link to edit them; null if there is neither metadata nor a link. */
export function metadataBlock(items: StoredMetadata, none: string, editor: string | null): Html | null {
  if (items.length === 0 && editor === null) return null
  return block({
    title: 'Metadata',
    ...(editor !== null && { more: { label: 'Edit', href: editor } }),
    body:
      items.length === 0
        ? empty(none)
        : pairs(items.map(({ key, value }) => [html`<code>${key}</code>`, shown(value)])),
  })
}

function shown(value: unknown): Html {
  if (value === null) return html`<span class="soft">no value</span>`
  const tag = isObject(value) ? Object.keys(value).join('').toUpperCase() : ''
  return html`${fieldText(value)} <span class="soft">${tag}</span>`
}
