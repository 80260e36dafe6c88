import { PLANNED_TYPE_NAMES } from '../../records/record-type.ts'
import type { ChangeOutline, SectionName } from '../../plan/outline/change-outline.ts'
import type { Action } from '../../plan/plan.ts'
import { html, type Html } from '../../server/html.ts'
import { SIGNS } from '../parts/sign.ts'
import type { Shown } from './shown.ts'

/** The filters of a list of changes. The address contains all of them. */
export interface ChangeFilter {
  readonly section?: SectionName | undefined
  readonly action?: Action | undefined
  readonly alike?: number | undefined
  readonly search?: string | undefined
}

const ACTIONS = ['create', 'update', 'move', 'delete'] as const

export function filterOf({ searchParams }: URL): ChangeFilter {
  const [section, action, alike, search] = ['section', 'action', 'alike', 'search'].map((name) =>
    searchParams.get(name),
  )
  return {
    section: isSectionName(section) ? section : undefined,
    action: ACTIONS.find((one) => one === action),
    alike: alike != null && /^\d{1,9}$/.test(alike) ? Number(alike) : undefined,
    search: search == null || search.trim() === '' ? undefined : search.trim(),
  }
}

function isSectionName(name: string | null | undefined): name is SectionName {
  return name === 'delete' || (PLANNED_TYPE_NAMES as readonly string[]).includes(name ?? '')
}

/** Links that filter by kind, each with its number of changes, and a field that searches them by text. */
export function changeFilters(
  outline: ChangeOutline,
  { action, search, section, alike }: ChangeFilter,
  shown: Shown,
): Html {
  const isAll = action === undefined && section === undefined && alike === undefined
  const counted = ACTIONS.map((name) => ({ name, count: countOf(outline, name) })).filter(({ count }) => count > 0)
  const text = search === undefined ? {} : { search }
  const label = `Search ${outline.size.toLocaleString('en-US')} ${outline.size === 1 ? 'change' : 'changes'}`
  return html`<div class="filters">
    <nav class="pills" aria-label="Kinds of changes">
      <a class="pill" href="${shown.link(text)}" ${isAll ? html`aria-current="true"` : null}>All</a>
      ${counted.map(
        ({ name, count }) =>
          html`<a
            class="pill ${name}"
            href="${shown.link({ ...text, action: name })}"
            ${action === name ? html`aria-current="true"` : null}
            >${SIGNS[name].mark} ${count.toLocaleString('en-US')} ${name}</a
          >`,
      )}
      ${
        section === undefined && alike === undefined
          ? null
          : html`<span class="pill" aria-current="true">${section ?? 'alike'}</span>`
      }
    </nav>
    <form role="search" class="count" action="${shown.link({})}">
      ${hidden('action', action)}${hidden('section', section)}
      <input
        class="field search"
        type="search"
        name="search"
        value="${search ?? ''}"
        placeholder="${label}"
        aria-label="${label}"
      />
    </form>
  </div>`
}

function hidden(name: string, value: string | undefined): Html | null {
  return value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}" />`
}

function countOf({ sections }: ChangeOutline, action: Action): number {
  return sections.reduce((sum, { counts }) => sum + (counts[action] ?? 0), 0)
}
