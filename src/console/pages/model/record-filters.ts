import { recordType } from '../../../records/registry.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { storedFields } from '../../../records/shape.ts'
import { html, type Html } from '../../../server/html.ts'
import { totalText } from '../../parts/table.ts'

/** The filters of a list of records. An empty text filters nothing. */
export interface Wanted {
  readonly search: string
  readonly status: string
}

const STATUSES = ['', 'ACTIVATED', 'DEACTIVATED', 'ARCHIVED'] as const
const LABELS = { '': 'Any status', ACTIVATED: 'Activated', DEACTIVATED: 'Deactivated', ARCHIVED: 'Archived' } as const

export function isStatus(status: string): status is (typeof STATUSES)[number] {
  return (STATUSES as readonly string[]).includes(status)
}

/** A search field for records and, if the type has a status, a filter by status. */
export function recordFilters(
  type: RecordTypeName,
  { search, status }: Wanted,
  { total, mostCounted }: { readonly total: number; readonly mostCounted: number },
): Html {
  const hasStatus = storedFields(recordType(type)).some(({ name }) => name === 'status')
  const label = `Search ${type} by key or name`
  return html`<div class="filters">
    <form role="search">
      ${status === '' ? null : html`<input type="hidden" name="status" value="${status}" />`}
      <input
        class="field search"
        type="search"
        name="search"
        value="${search}"
        placeholder="${label}"
        aria-label="${label}"
      />
    </form>
    ${
      hasStatus
        ? html`<nav class="segments" aria-label="Status">
            ${STATUSES.map(
              (one) =>
                html`<a href="${addressOf(search, one)}" ${one === status ? html`aria-current="true"` : null}
                  >${LABELS[one]}</a
                >`,
            )}
          </nav>`
        : null
    }
    <span class="count">${totalText(total, mostCounted)} ${total === 1 ? 'record' : 'records'}</span>
  </div>`
}

function addressOf(search: string, status: string): string {
  const given = Object.entries({ search, status }).filter(([, value]) => value !== '')
  return `?${new URLSearchParams(given).toString()}`
}
