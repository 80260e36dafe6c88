import { isObject } from '../../lib/json.ts'
import { entityFields, type Entity } from '../../records/entity.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { fieldsInOrder, storedFields, type Field } from '../../records/shape.ts'
import { html, type Html } from '../../server/html.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import type { Visit } from '../page.ts'
import { block, pairs } from '../parts/block.ts'
import { recordLink } from '../record-link.ts'
import { date } from '../parts/time.ts'
import type { Values } from './form.ts'

/** All fields of a record in the order of the specification, except metadata, which has its own block. */
export function recordFields(visit: Pick<Visit, 'now' | 'zone'>, { type, body }: StoredRecord): Html {
  const declared = recordType(type)
  const stored = new Set(storedFields(declared).map(({ name }) => name))
  return fieldsBlock(
    visit,
    fieldsInOrder(declared.definition).filter(({ name }) => stored.has(name)),
    body,
  )
}

/** All fields of an entity, except those that the page shows elsewhere. */
export function entityBlock(visit: Visit, entity: Entity, values: object, without: readonly string[] = []): Html {
  return fieldsBlock(
    visit,
    entityFields(entity).filter(({ name }) => !without.includes(name)),
    { ...values },
  )
}

interface ViewField extends Field {
  /** The type of the record whose key the field shows. */
  readonly record?: RecordTypeName | null
}

/** Each field with its description, its value, and whether the value is the default. */
export function fieldsBlock(visit: Pick<Visit, 'now' | 'zone'>, fields: readonly ViewField[], values: Values): Html {
  const shown = fields.filter(({ name, node }) => name !== METADATA_FIELD && node.writeOnly !== true)
  return block({
    title: 'Fields',
    body: pairs(
      shown.map((field) => [
        html`<code title="${field.node.description ?? ''}">${field.name}</code>`,
        html`${valueOf(visit, field, values[field.name])}
        ${isDefault(field, values[field.name]) ? html`<span class="soft">default</span>` : null}`,
      ]),
    ),
  })
}

function isDefault({ defaultValue }: Field, value: unknown): boolean {
  return defaultValue != null && JSON.stringify(value ?? null) === JSON.stringify(defaultValue)
}

function valueOf(
  { now, zone }: Pick<Visit, 'now' | 'zone'>,
  { record, node }: ViewField,
  value: unknown,
): Html | string {
  if (value === undefined || value === null) return html`<span class="soft">not set</span>`
  if (value instanceof Date) return date(value, now, zone)
  if (typeof value === 'number' && node.precision === 'microseconds') return date(new Date(value / 1_000), now, zone)
  if (typeof value === 'string') return record == null ? value : recordLink({ type: record, key: value })
  if (typeof value === 'number') return String(value).replace(/^-/, '\u2212')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return listOf(value)
  return html`<pre class="code" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
}

function listOf(values: readonly unknown[]): Html {
  if (values.length === 0) return html`<span class="soft">none</span>`
  return html`<ul class="lines">
    ${values.map((value) => html`<li>${itemOf(value)}</li>`)}
  </ul>`
}

/** Shows an option as its key and label, and any other value as it is. */
function itemOf(value: unknown): Html | string {
  if (typeof value === 'string') return value
  const { key, label, meta } = isObject(value) ? value : {}
  if (typeof key !== 'string' || typeof label !== 'string') return html`<code>${JSON.stringify(value)}</code>`
  return html`<code>${key}</code> ${label}
    ${Array.isArray(meta) && meta.length > 0 ? html`<span class="soft">${JSON.stringify(meta)}</span>` : null}`
}
