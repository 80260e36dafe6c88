import { isJsonList, isObject, type Json } from '../../../lib/json.ts'
import { isMetadata } from '../../../records/metadata.ts'
import { recordType } from '../../../records/registry.ts'
import { fieldsInOrder, storedFields } from '../../../records/shape.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import type { StoredMetadata } from '../../metadata/metadata-form.ts'
import { metadataPairs } from '../../metadata/metadata-view.ts'
import { METADATA } from '../../metadata/record-metadata.ts'
import { block, empty, pairs } from '../../parts/block.ts'

/** All fields in the order of the specification, with what they are where nobody said anything, and the metadata. */
export function fieldsBlock({ type, body }: StoredRecord, editor: string | null): Html {
  const declared = recordType(type)
  const stored = new Set(storedFields(declared).map(({ name }) => name))
  const fields = fieldsInOrder(declared.definition).filter(({ name }) => stored.has(name) && name !== METADATA)
  const metadata = body[METADATA]
  return html`<div class="blocks">
    ${block({
      title: 'Fields',
      body: pairs(
        fields.map(({ name, defaultValue, node }) => [
          html`<code title="${node.description ?? ''}">${name}</code>`,
          html`${shown(body[name])} ${isSame(body[name], defaultValue) ? html`<span class="soft">default</span>` : null}`,
        ]),
      ),
    })}
    ${metadataBlock(isMetadata(metadata) ? metadata : [], editor)}
  </div>`
}

function metadataBlock(items: StoredMetadata, editor: string | null): Html | null {
  if (items.length === 0 && editor === null) return null
  return block({
    title: 'Metadata',
    note: items.length.toLocaleString('en-US'),
    ...(editor !== null && { more: { label: 'Edit', href: editor } }),
    body: items.length === 0 ? empty('It has no metadata.') : metadataPairs(items),
  })
}

function isSame(value: Json | undefined, defaultValue: Json | undefined): boolean {
  return (
    defaultValue !== undefined &&
    defaultValue !== null &&
    JSON.stringify(value ?? null) === JSON.stringify(defaultValue)
  )
}

function shown(value: Json | undefined): Html | string {
  if (value === undefined || value === null) return html`<span class="soft">not set</span>`
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value).replace(/^-/, '\u2212')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isJsonList(value)) return listOf(value)
  return html`<pre class="code" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
}

function listOf(values: readonly Json[]): Html {
  if (values.length === 0) return html`<span class="soft">none</span>`
  return html`<ul class="lines">
    ${values.map((value) => html`<li>${itemOf(value)}</li>`)}
  </ul>`
}

/** An option is its key and its label; anything else is shown as it is. */
function itemOf(value: Json): Html | string {
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const { key, label, ...others } = value
  if (typeof key !== 'string' || typeof label !== 'string') return html`<code>${JSON.stringify(value)}</code>`
  const { meta } = others
  return html`<code>${key}</code> ${label}
    ${isJsonList(meta) && meta.length > 0 ? html`<span class="soft">${JSON.stringify(meta)}</span>` : null}`
}
