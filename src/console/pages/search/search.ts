import { missingRight } from '../../../auth/require-right.ts'
import { searchAll } from '../../../platform/search.ts'
import type { System } from '../../../platform/systems/systems.ts'
import { isDocumentTypeName, type RecordTypeName } from '../../../records/record-type.ts'
import { PLANNED_TYPES, typeThatSignsIn } from '../../../records/registry.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html, type Html } from '../../../server/html.ts'
import { CLIENT_TYPE } from '../../../platform/access/clients/clients.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { SEES_ANYTHING } from '../../frame/areas.ts'
import { declarePage, type Visit } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { statusSign } from '../../parts/status.ts'
import { table, type Row } from '../../parts/table.ts'
import { withRight } from '../../visit-right.ts'
import { contextOf } from '../../../server/request-context.ts'

const SHOWN = 8
const SYSTEMS = 'Systems'
const TYPES = PLANNED_TYPES.map(({ name }) => name).filter(isDocumentTypeName)

/** `/search?q=`: systems and records whose name or key contains a text, as far as the person may see them. */
export const SEARCH_PAGE = declarePage({
  path: '/search',
  area: 'home',
  ...SEES_ANYTHING,
  keepsWithin: true,
  async show(visit) {
    const text = (visit.url.searchParams.get('q') ?? '').trim()
    const groups = text === '' ? [] : await groupsOf(visit, text)
    return {
      title: text === '' ? 'Search' : `Search for “${text}”`,
      ...(text !== '' && { verdict: verdictOf(groups) }),
      body: html`${text === '' ? searchForm() : null}
      ${
        text !== '' && groups.length === 0
          ? empty(
              `${asFarAsSeen('Nothing', visit)} has it in its name or key.`,
              html`<p class="soft">Components and values are found at their system.</p>`,
            )
          : html`<div class="blocks">${groups.map(groupBlock)}</div>`
      }`,
    }
  },
})

interface Group {
  readonly title: string
  readonly all: string
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** The search form. The field in the bar leads here without a script. */
function searchForm(): Html {
  return html`<form class="filters" role="search" aria-label="Names and keys">
    <input class="field search" type="search" name="q" aria-label="Search for" />
    <button class="button main">Search</button>
  </form>`
}

function verdictOf(groups: readonly Group[]): Html {
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  const isPart = groups.some(({ hasMore }) => hasMore)
  return html`${count === 0 ? 'Nothing' : `${isPart ? 'The first ' : ''}${count}`} found in names and keys.`
}

function groupBlock({ title, all, rows, hasMore }: Group): Html {
  return block({
    title,
    note: hasMore ? `the first ${rows.length}` : String(rows.length),
    ...(hasMore && { more: { label: `All ${title === SYSTEMS ? 'systems' : title}`, href: all } }),
    body: html`<div class="even">${table([{ label: 'Name' }, { label: 'Key' }], rows)}</div>`,
  })
}

/** Searches with the wider reach of both rights, because the database is restricted to one list of units. */
async function groupsOf(visit: Visit, text: string): Promise<readonly Group[]> {
  const [data, model] = [withRight(visit, 'data:read'), withRight(visit, 'model:read')]
  const context = contextOf(visit.context, data?.actor ?? visit.actor)
  const reach = { data: data?.actor ?? null, model: model?.actor ?? null }
  const { systems, records } = await searchAll(context, reach, { text, types: TYPES, most: SHOWN })
  const query = new URLSearchParams({ search: text }).toString()
  return [
    groupOf(SYSTEMS, `/systems?${query}`, systems, systemRow),
    ...[...records].map(([type, found]) => {
      return groupOf(type, `/model/${type}?${query}`, found, (record) => recordRow(visit, record))
    }),
  ]
    .filter(({ rows }) => rows.length > 0)
    .toSorted((one, other) => Number(isNameless(one)) - Number(isNameless(other)))
}

/** Whether a group consists of links, which have only a key and come last. */
function isNameless({ title, rows }: Group): boolean {
  return title !== SYSTEMS && rows.every(({ cells }) => cells[1] === null)
}

function groupOf<One>(title: string, all: string, found: readonly One[], rowOf: (one: One) => Row): Group {
  return { title, all, rows: found.slice(0, SHOWN).map(rowOf), hasMore: found.length > SHOWN }
}

function systemRow({ uuid, name, organizationUnit, status }: System): Row {
  const of = organizationUnit === null ? null : html`<code>${organizationUnit}</code>`
  return { sign: statusSign(status), cells: [html`<a href="/systems/${uuid}">${name}</a>`, of] }
}

function recordRow(visit: Visit, { type, key, body }: StoredRecord): Row {
  const { name, message, status } = body
  const shown = [name, message].find((text) => typeof text === 'string' && text !== '')
  return {
    sign: statusSign(status),
    cells: [
      html`<a href="${addressOf(visit, type, key)}">${typeof shown === 'string' ? shown : key}</a>`,
      shown === undefined ? null : html`<code>${key}</code>`,
    ],
  }
}

/** The page where the person works with the record or, if there is none, the page that shows it. */
function addressOf({ caller }: Visit, type: RecordTypeName, key: string): string {
  const path = encodeURIComponent(key)
  const isAdministrator = missingRight('', 'access:admin', caller) === null
  if (type === DATA_TYPES.unit) return `/organizations/${path}`
  if (type === typeThatSignsIn('person').name && isAdministrator) return `/users/${path}`
  if (type === CLIENT_TYPE.name && caller.rights.has('model:read')) return `/application-consumers/${path}`
  return `/model/${type}/${path}`
}
