import { HoldfastError } from '../../../lib/errors.ts'
import { ACCESS, isDocumentTypeName, type RecordTypeName } from '../../../records/record-type.ts'
import { nextAfter } from '../../../platform/paging.ts'
import { modelOverview, type ModelOverview } from '../../../platform/records/model-overview.ts'
import { HIDDEN_TYPES, listRecords } from '../../../platform/records/read-records.ts'
import { definition } from '../../../records/shape.ts'
import { recordType } from '../../../records/registry.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/html.ts'
import type { RecordFilter } from '../../../store/model/record-pages.ts'
import { declarePage, type Visit } from '../../page.ts'
import { cursorAfter } from '../../row-after.ts'
import { empty } from '../../parts/block.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { MOST_COUNTED_ROWS, pages, rowsBefore } from '../../parts/table.ts'
import { readBeside } from './beside-records.ts'
import { isStatus, recordFilters, type Wanted } from './record-filters.ts'
import { recordTable } from './record-table.ts'
import { typeList } from './type-list.ts'

const ON_A_PAGE = 50

/** `/model/:type`: the records of one type. */
export const RECORDS_PAGE = declarePage({
  path: '/model/:type',
  area: 'model',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const type = typeNamed(visit)
    const wanted = wantedIn(visit.url)
    // The list of types already shows the number of all records, so only the results of a search are counted.
    const isAll = wanted.search === '' && wanted.status === ''
    const [overview, found] = await Promise.all([
      modelOverview(visit.context, visit.actor),
      listRecords(visit.context, visit.actor, type, {
        first: ON_A_PAGE,
        after: cursorAfter(visit.url),
        filter: filterOf(wanted),
        order: { by: 'KEY', direction: 'ASC' },
        mostCounted: isAll ? 0 : MOST_COUNTED_ROWS,
      }),
    ])
    const total = isAll ? (overview.counts.get(type)?.records ?? 0) : found.total
    const mostCounted = isAll ? Infinity : MOST_COUNTED_ROWS
    const from = rowsBefore(visit.url.searchParams)
    const after = nextAfter(found)
    const next = after && addressOf(wanted, { after, from: String(from + found.items.length) })
    const beside = await readBeside(visit, type, found.items)
    return {
      title: type,
      crumbs: [{ label: 'Model', href: '/model' }],
      verdict: verdictOf(visit, type, overview),
      body: html`<div class="before">
        ${typeList(type, overview)}
        <div>
          ${recordFilters(type, wanted, { total, mostCounted })}
          ${
            found.items.length === 0
              ? nothing(visit, type, wanted)
              : html`${recordTable(visit, type, found.items, beside)}
                ${pages({ from, count: found.items.length, total, next, first: addressOf(wanted, {}), mostCounted })}`
          }
        </div>
      </div>`,
    }
  },
})

/** `/model`: the characteristics, the most common entry. */
export const MODEL_PAGE = declarePage({
  ...RECORDS_PAGE,
  path: '/model',
  show: (visit) => RECORDS_PAGE.show({ ...visit, param: () => DATA_TYPES.characteristic }),
})

/** The record type in the address. Only people with a role in the whole domain may see grants. */
function typeNamed({ param, actor }: Visit): RecordTypeName {
  const type = param('type')
  if (isDocumentTypeName(type) || (type === ACCESS && actor.units === null)) return type
  throw new HoldfastError('NOT_FOUND', `the data model has no record type ${type}`)
}

function wantedIn({ searchParams }: URL): Wanted {
  const text = (name: string) => (searchParams.get(name) ?? '').trim()
  const status = text('status')
  return { search: text('search'), status: isStatus(status) ? status : '' }
}

function filterOf({ search, status }: Wanted): RecordFilter {
  return { ...(search !== '' && { search }), ...(status !== '' && { status: [status] }) }
}

function addressOf(wanted: Wanted, more: { readonly [name: string]: string }): string {
  const given = Object.entries({ ...wanted, ...more }).filter(([, value]) => value !== '')
  return `?${new URLSearchParams(given).toString()}`
}

/** `A characteristic is … Managed from Git: 79 records, 1 differs from the last apply.` */
function verdictOf(visit: Visit, type: RecordTypeName, { counts, managed }: ModelOverview): Html {
  const { records = 0, drifted = 0 } = counts.get(type) ?? {}
  const number = `${records.toLocaleString('en-US')} ${shownOfType(visit, type, records === 1 ? 'record' : 'records')}`
  const about = definition(recordType(type).definition).description
  const differ = html`<a href="/drift">${drifted.toLocaleString('en-US')} ${drifted === 1 ? 'differs' : 'differ'}</a>`
  return html`${about ?? null}
  ${
    managed.has(type)
      ? html`<strong>Managed from Git</strong>: ${number}${drifted === 0 ? '.' : html`, ${differ} from the last apply.`}`
      : html`Not managed from Git: ${number}.`
  }`
}

/** Describes the list. For most types, everybody sees all records. */
function shownOfType(visit: Visit, type: RecordTypeName, what: string = type): string {
  return HIDDEN_TYPES.includes(type) ? asFarAsSeen(what, visit) : what
}

function nothing(visit: Visit, type: RecordTypeName, { search, status }: Wanted): Html {
  const records = shownOfType(visit, type)
  if (search === '' && status === '')
    return empty(
      `There are no ${records} yet.`,
      html`<p class="soft">They come with the next apply of a document that has some, or by the API.</p>`,
    )
  const what =
    search === '' ? `No ${records} are ${status.toLowerCase()}.` : `No key or name of ${records} contains “${search}”.`
  return empty(what, html`<a class="button" href="?">Show all ${type}</a>`)
}
