import { html, type Html } from '../../server/html.ts'
import { shorten } from './short-text.ts'
import { sign, type Sign } from './sign.ts'

export type Cell = Html | string | number | null

export interface Column {
  readonly label: string
  /** Whether to align the column to the right. */
  readonly isNumber?: boolean
  /** Whether to keep words together, because broken names are hard to read. */
  readonly isName?: boolean
  /** The content of the column head in place of the label, such as a time axis. */
  readonly shown?: Html
}

export interface Row {
  readonly sign?: Sign
  readonly cells: readonly Cell[]
}

/** A table with a narrow first column for the state of each row. On a phone, each row is a block of labelled values. */
export function table(columns: readonly Column[], rows: readonly Row[]): Html {
  return html`<table class="table stacks">
    <thead>
      <tr>
        <td class="sign"></td>
        ${columns.map(headCell)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => tableRow(columns, row))}
    </tbody>
  </table>`
}

/** Names with numbers, in a few rows without a head. */
export function shortTable(rows: readonly Row[]): Html {
  return html`<table class="table">
    <tbody>
      ${rows.map(
        ({ sign: name = 'none', cells: [label, ...values] }) =>
          html`<tr>
            <td class="sign">${sign(name)}</td>
            <td>${text(label ?? null)}</td>
            ${values.map((value) => html`<td class="number">${text(value)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** The head of a column. A column of buttons has no label. */
function headCell({ label, shown, ...column }: Column): Html {
  if (label === '') return html`<td></td>`
  return html`<th scope="col" class="${classOf(column)}">${shown ?? label}</th>`
}

function tableRow(columns: readonly Column[], row: Row): Html {
  const cell = (value: Cell, index: number) => {
    const { label = '', ...column } = columns[index] ?? {}
    const named = index === 0 ? null : html`data-label="${label}"`
    return html`<td class="${classOf(column)}" ${named}>${text(value)}</td>`
  }
  return html`<tr>
    <td class="sign">${sign(row.sign ?? 'none')}</td>
    ${row.cells.map(cell)}
  </tr>`
}

function classOf({ isNumber, isName }: Omit<Column, 'label'>): string {
  if (isName === true) return 'by'
  return isNumber === true ? 'number' : ''
}

function text(value: Cell): Cell {
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return value === null ? null : shorten(value)
}

/** The length of a list without pages: `12`, or `the latest 100 of 1,204`. */
export function lengthText(shown: number, total: number, which = 'first', mostCounted = Infinity): string {
  return shown < total ? `the ${which} ${number(shown)} of ${totalText(total, mostCounted)}` : number(total)
}

/** The maximum number of rows that are counted. To count all results of a search takes longer than to find them. */
export const MOST_COUNTED_ROWS = 10_000

/** `1,204`, or `more than 10,000` if the count was stopped there. */
export function totalText(total: number, mostCounted = Infinity): string {
  return total > mostCounted ? `more than ${number(mostCounted)}` : number(total)
}

/** The number of rows before the page in the address. It is only displayed, so an invalid number becomes 0. */
export function rowsBefore(query: URLSearchParams, name = 'from'): number {
  const given = Number(query.get(name))
  return Number.isSafeInteger(given) && given > 0 ? given : 0
}

/** The line below a list with pages: `1 – 50 of 1,204`. `mostCounted` is left out if all were counted. */
export function pages(shown: {
  from: number
  count: number
  total: number
  next: string | null
  first?: string
  mostCounted?: number
}): Html {
  const { from, count, total, next, first = '?', mostCounted } = shown
  const range = count === 0 ? '0' : `${number(from + 1)} – ${number(from + count)}`
  return html`<div class="pages">
    <span>${range} of ${totalText(total, mostCounted)}</span>
    <nav aria-label="Pages">
      ${from > 0 ? html`<a class="button" href="${first}">First</a>` : null}
      ${next === null ? null : html`<a class="button" href="${next}" rel="next">Next</a>`}
    </nav>
  </div>`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
