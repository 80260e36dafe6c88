import { recordId } from '../../../records/record-id.ts'
import { ACCESS, type RecordTypeName } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import type { Visit } from '../../page.ts'
import type { Sign } from '../../parts/sign.ts'
import { shortText } from '../../parts/short-text.ts'
import { statusSign } from '../../parts/status.ts'
import { table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { originOf, sourceLink } from '../applies/origin.ts'
import { hasData, type BesideRecords } from './beside-records.ts'
import { columnsOf, type RecordColumn } from './record-columns.ts'
import { recordHref } from '../../record-link.ts'

/** A table of the records of one type: their fields, the data behind them, and where they are described. */
export function recordTable(
  { now, zone }: Visit,
  type: RecordTypeName,
  records: readonly StoredRecord[],
  beside: BesideRecords,
): Html {
  const fields = columnsOf(type)
  const columns = [
    { label: 'Key' },
    ...fields,
    ...(LINKED[type] === undefined ? [] : [{ label: LINKED[type] }]),
    ...behindColumns(type, beside).map(({ label }) => ({ label, isNumber: true })),
    { label: 'Source' },
    { label: 'Changed', isNumber: true },
  ]
  return table(
    columns,
    records.map((record) => ({
      sign: signOf(record, beside),
      cells: [
        keyCell(record),
        ...fields.map((column: RecordColumn) => column.cell(record.body)),
        ...(LINKED[type] === undefined ? [] : [linkedCell(beside.linked.get(record.uuid) ?? [])]),
        ...behindColumns(type, beside).map(({ kind }) => countCell(record, kind, beside)),
        sourceCell(record, beside),
        date(record.updatedAt, now, zone),
      ],
    })),
  )
}

const LINKED: { readonly [type in RecordTypeName]?: string } = {
  [DATA_TYPES.characteristic]: 'Services',
  [DATA_TYPES.service]: 'Component models',
}

function signOf(record: StoredRecord, { drifted }: BesideRecords): Sign {
  if (drifted.has(recordId(record))) return 'update'
  return statusSign(record.body['status'])
}

function keyCell({ type, key, body }: StoredRecord): Html {
  const { name, status } = body
  const isOff = typeof status === 'string' && status !== 'ACTIVATED'
  const under = [typeof name === 'string' && name !== key ? name : '', isOff ? status.toLowerCase() : '']
    .filter((text) => text !== '')
    .join(' · ')
  const shown = html`<code>${key}</code>`
  // A grant consists only of its key, so it has no page.
  return html`${type === ACCESS ? shown : html`<a href="${recordHref({ type, key })}">${shown}</a>`}
  ${under === '' ? null : html`<span class="under">${shortText(under)}</span>`}`
}

const MOST_LINKED = 3

function linkedCell(keys: readonly string[]): Html {
  const [shown, more] = [keys.slice(0, MOST_LINKED), keys.length > MOST_LINKED]
  return html`${shown.map((key) => html`<span class="line">${key}</span>`)}
  ${more ? html`<span class="line soft">and more</span>` : null}`
}

interface BehindColumn {
  readonly label: string
  readonly kind: 'components' | 'datapoints' | 'events'
}

function behindColumns(type: RecordTypeName, { behind }: BesideRecords): readonly BehindColumn[] {
  if (!hasData(type) || behind === null) return []
  if (type === DATA_TYPES.eventModel) return [{ label: 'Events', kind: 'events' }]
  return [
    { label: 'Components', kind: 'components' },
    { label: 'Datapoints', kind: 'datapoints' },
  ]
}

function countCell(record: StoredRecord, kind: BehindColumn['kind'], { behind }: BesideRecords): Html | string {
  const count = behind?.get(recordId(record))?.[kind] ?? 0
  return count === 0 ? html`<span class="soft">0</span>` : count.toLocaleString('en-US')
}

function sourceCell(record: StoredRecord, { lastChanges, drifted }: BesideRecords): Html | null {
  const drift = drifted.get(recordId(record))
  if (drift !== undefined) return html`<span class="update">changed by ${drift.actor}</span>`
  const change = lastChanges.get(recordId(record))
  return change?.source === undefined ? null : sourceLink(change.source, originOf(change.apply.origin), 'short')
}
