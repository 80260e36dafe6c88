import type { ActionCounts, SectionOutline } from '../../plan/outline/change-outline.ts'
import type { Action } from '../../plan/plan.ts'
import {
  changesAt,
  findChanges,
  type ChangeList,
  type ListedChange,
} from '../../platform/imports/history/change-list.ts'
import { html, type Html } from '../../server/html.ts'
import { block, empty } from '../parts/block.ts'
import { pages, rowsBefore } from '../parts/table.ts'
import { alikeRow, changeRow } from './change-row.ts'
import { changeFilters, filterOf, type ChangeFilter } from './change-filters.ts'
import type { Shown } from './shown.ts'

const ON_A_PAGE = 50

/** Shows a list of changes: without filters everything is folded, with filters the matches are shown page by page. */
export async function changesView(list: ChangeList, url: URL, shown: Shown): Promise<Html> {
  const filter = filterOf(url)
  const filters = changeFilters(list.outline, filter, shown)
  const isAll = Object.values(filter).every((value) => value === undefined)
  return html`${filters}
    <div class="blocks">${isAll ? await overview(list, shown) : await found(list, filter, url, shown)}</div>`
}

async function overview(list: ChangeList, shown: Shown): Promise<readonly Html[]> {
  const { sections } = list.outline
  const changes = await changesAt(
    list,
    sections.flatMap(({ rows }) => rows.map(({ index }) => index)),
  )
  return sections.map((section) => sectionBlock(section, changes, shown))
}

function sectionBlock(section: SectionOutline, changes: ReadonlyMap<number, ListedChange>, shown: Shown): Html {
  const { name, counts, rows, more } = section
  const isDeletes = name === 'delete'
  return block({
    title: isDeletes ? 'Deletes' : name,
    note: isDeletes ? (counts.delete ?? 0).toLocaleString('en-US') : countsText(counts, shown),
    body: html`${changeTable(
      rows.flatMap(({ index, count }) => {
        const change = changes.get(index)
        if (change === undefined) return []
        return [count > 1 ? alikeRow(change, count, shown) : changeRow(change, shown, isDeletes)]
      }),
    )}
    ${
      more === 0
        ? null
        : html`<p class="more">
            <a class="button" href="${shown.link({ section: name })}"
              >All ${sum(counts).toLocaleString('en-US')} ${isDeletes ? 'deletes' : name}</a
            >
          </p>`
    }`,
  })
}

async function found(list: ChangeList, filter: ChangeFilter, url: URL, shown: Shown): Promise<Html> {
  const at = rowsBefore(url.searchParams, 'at')
  const begin = rowsBefore(url.searchParams)
  const { changes, total, next } = await findChanges(list, { ...filter, at, first: ON_A_PAGE })
  if (changes.length === 0)
    return empty('No change is like that.', html`<a class="button" href="${shown.link({})}">Show all changes</a>`)
  const nextQuery = { ...queryOf(filter), at: String(next), from: String(begin + changes.length) }
  return html`<div>
    ${changeTable(changes.map((change) => changeRow(change, shown, true)))}
    ${pages({ from: begin, count: changes.length, total, next: next === null ? null : shown.link(nextQuery), first: shown.link(queryOf(filter)) })}
  </div>`
}

function queryOf(filter: ChangeFilter): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

function changeTable(rows: readonly Html[]): Html {
  return html`<table class="table changes">
    <thead class="spoken">
      <tr>
        <th scope="col">Sign</th>
        <th scope="col">Change</th>
        <th scope="col">Place</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

const WORDS: { readonly [action in Action]: readonly [done: string, planned: string] } = {
  create: ['created', 'to create'],
  update: ['updated', 'to update'],
  move: ['moved', 'to move'],
  delete: ['deleted', 'to delete'],
}

/** `2 created, 13 updated`, in the tense of an apply or of a plan. */
export function countsText(counts: ActionCounts, { isDone }: Pick<Shown, 'isDone'>): string {
  const actions = (['create', 'update', 'move', 'delete'] as const).filter((action) => (counts[action] ?? 0) > 0)
  return actions
    .map((action) => `${(counts[action] ?? 0).toLocaleString('en-US')} ${WORDS[action][isDone ? 0 : 1]}`)
    .join(', ')
}

function sum(counts: ActionCounts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
