import { HoldfastError } from '../../../lib/errors.ts'
import { missingRight } from '../../../auth/require-right.ts'
import { findRecord, listRecords } from '../../../platform/records/read-records.ts'
import { listSystems } from '../../../platform/systems/systems.ts'
import { joinKey, splitKey } from '../../../records/identity.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { checkText } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage, type Visit } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { lengthText, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { withRight } from '../../visit-right.ts'
import { nameOf } from './organizations.ts'

const SHOWN = 50
const FIRST = { first: SHOWN, after: null }
const PERSON = typeThatSignsIn('person').name

/** `/organizations/:key`: an organization or unit with its units, users and systems. */
export const ORGANIZATION_PAGE = declarePage({
  path: '/organizations/:key{.+}',
  area: 'people',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const { context, actor, param, now, zone } = visit
    const key = checkText(param('key'), 'the key')
    const record = await findRecord(context, actor, DATA_TYPES.unit, key)
    if (record === null) throw new HoldfastError('NOT_FOUND', `there is no organization or unit ${key}`)
    return {
      title: nameOf(key, record.body),
      crumbs: crumbsOf(key),
      place: [
        html`<code>${key}</code>`,
        html`${String(record.body['status'] ?? 'ACTIVATED').toLowerCase()}`,
        html`changed ${date(record.updatedAt, now, zone)}`,
        html`<a href="/model/${DATA_TYPES.unit}/${encodeURIComponent(key)}">record</a>`,
      ],
      body: html`<div class="blocks">
        ${await unitsBlock(visit, record)} ${await usersBlock(visit, record)} ${await systemsBlock(visit, key)}
      </div>`,
    }
  },
})

function crumbsOf(key: string) {
  const parts = splitKey(key)
  const above = parts.slice(0, -1).map((label, index) => ({
    label,
    href: `/organizations/${encodeURIComponent(joinKey(parts.slice(0, index + 1)))}`,
  }))
  return [{ label: 'Organizations', href: '/organizations' }, ...above]
}

/** The records that refer to the organization. A reader sees all of them or none. */
function referring({ context }: Visit, { uuid }: StoredRecord, type: RecordTypeName) {
  const around = { systemUuid: null, units: [uuid] }
  return listRecords(context, around, type, { ...FIRST, filter: {}, order: { by: 'KEY', direction: 'ASC' } })
}

async function unitsBlock(visit: Visit, record: StoredRecord): Promise<Html> {
  const { items, total } = await referring(visit, record, DATA_TYPES.unit)
  const below = items.filter(({ uuid }) => uuid !== record.uuid)
  const rows = below.map(({ key, body }) => ({
    sign: 'quiet' as const,
    cells: [
      html`<a href="/organizations/${encodeURIComponent(key)}">${nameOf(key, body)}</a>`,
      html`<code>${key}</code>`,
    ],
  }))
  return block({
    title: 'Units',
    note: lengthText(rows.length, total - 1),
    body: rows.length === 0 ? empty('It has no units.') : table([{ label: 'Unit' }, { label: 'Key' }], rows),
  })
}

async function usersBlock(visit: Visit, record: StoredRecord): Promise<Html | null> {
  if (splitKey(record.key).length > 1) return null
  const { items, total } = await referring(visit, record, PERSON)
  const mayOpen = missingRight('', 'access:admin', visit.caller) === null
  const rows = items.map(({ key, body }) => ({
    sign: statusSign(body['status']),
    cells: [
      mayOpen ? html`<a href="/users/${encodeURIComponent(key)}">${nameOf(key, body)}</a>` : nameOf(key, body),
      key,
    ],
  }))
  return block({
    title: 'Users',
    note: lengthText(rows.length, total),
    body: rows.length === 0 ? empty('No user belongs to it.') : table([{ label: 'User' }, { label: 'Address' }], rows),
  })
}

/** The systems of the organization and of its units. */
async function systemsBlock(visit: Visit, key: string): Promise<Html | null> {
  const data = withRight(visit, 'data:read')
  if (data === null) return null
  const { items, total } = await listSystems(data.context, data.actor, { organizationUnits: [key] }, FIRST)
  const rows = items.map(({ uuid, name, organizationUnit, status }) => ({
    sign: statusSign(status),
    cells: [html`<a href="/systems/${uuid}">${name}</a>`, html`<code>${organizationUnit}</code>`, statusText(status)],
  }))
  const columns = [{ label: 'System' }, { label: 'Of' }, { label: 'Status' }]
  return block({
    title: 'Systems',
    note: lengthText(rows.length, total),
    body: rows.length === 0 ? empty('No system belongs to it.') : table(columns, rows),
  })
}
