import { isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { recordType } from '../../../records/registry.ts'
import { storedFields, resolveNotNull, type Field } from '../../../records/shape.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/html.ts'
import { exactText } from '../../assets/analyse/figures.js'
import { labelOf } from '../../declared/form-field.ts'
import type { Cell, Column } from '../../parts/table.ts'

/** A column of the table of one record type, and its content for a record. */
export interface RecordColumn extends Column {
  cell(body: JsonObject): Cell
}

const MOST_COLUMNS = 4

/** Chooses the columns besides the key: those about values or, if there are none, its first plain fields. */
export function columnsOf(type: RecordTypeName): readonly RecordColumn[] {
  return type === DATA_TYPES.characteristic ? VALUE_COLUMNS : plainFields(type).slice(0, MOST_COLUMNS).map(fieldColumn)
}

const VALUE_COLUMNS: readonly RecordColumn[] = [
  {
    label: 'Type',
    cell: (body) =>
      html`${textOf(body['dataType'])}<span class="under">${textOf(body['characteristicType']).toLowerCase()}</span>`,
  },
  { label: 'Unit', cell: (body) => textOf(body['symbol']) },
  { label: 'Min', isNumber: true, cell: (body) => boundaryText(body['boundaryMin']) },
  { label: 'Max', isNumber: true, cell: (body) => boundaryText(body['boundaryMax']) },
]

/** These fields are shown in the key, below it, or as a sign. */
const ELSEWHERE = ['name', 'description', 'status']

function plainFields(type: RecordTypeName): readonly Field[] {
  const declared = recordType(type)
  return storedFields(declared).filter(
    ({ name, node, isArray }) =>
      !ELSEWHERE.includes(name) && !isArray && !isInKey(declared.identity, name) && isPlain(node),
  )
}

/** Whether the key shows the field. A key of one field does. Parts of a composite key read better in columns. */
function isInKey(identity: readonly string[], name: string): boolean {
  return identity.length === 1 && identity.includes(name)
}

function isPlain(node: Field['node']): boolean {
  const { node: resolved } = resolveNotNull(node)
  const types = [resolved.type ?? []].flat()
  return (
    resolved.enum !== undefined ||
    resolved.oneOf !== undefined ||
    types.some((type) => type !== 'null' && type !== 'object' && type !== 'array')
  )
}

function fieldColumn({ name }: Field): RecordColumn {
  return { label: labelOf(name), cell: (body) => cellOf(body[name]) }
}

function cellOf(value: Json | undefined): Html | string {
  if (typeof value === 'boolean') return value ? 'yes' : html`<span class="soft">no</span>`
  return textOf(value)
}

export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : String(value)
}

/** The text of a boundary: a number, the digits of a number beyond 2^53, or a date or time. */
function boundaryText(value: Json | undefined): string {
  return typeof value === 'number' || typeof value === 'string' ? exactText(value, null) : ''
}
