import { changedFields, fieldValues } from '../../plan/render/record-fields.ts'
import type { FieldChange } from '../../plan/render/field-diff.ts'
import { keyText, pairTexts, valueText } from '../../plan/render/value-text.ts'
import type { ListedChange } from '../../platform/imports/history/change-list.ts'
import { html, type Html } from '../../server/html.ts'
import { sign, type Sign } from '../parts/sign.ts'
import { changeNotes } from './change-notes.ts'
import { recordHref } from '../record-link.ts'
import type { Shown } from './shown.ts'

const LONGEST_VALUE = 120

/** The row of a change: its kind, its origin, and where it is described. */
export function changeRow(change: ListedChange, shown: Shown, isTypeShown = false): Html {
  const name = signOf(change.action)
  const isGuarded = change.guards?.some(({ acknowledged }) => !acknowledged) === true
  return html`<tr class="${isGuarded ? 'guarded' : ''}">
    <td class="sign">${sign(name)}</td>
    <td>
      ${recordLink(change, shown, isTypeShown)} ${movedFrom(change)} ${fieldsOf(change)} ${changeNotes(change, shown)}
    </td>
    <td class="place">${shown.place(change)}</td>
  </tr>`
}

/** One row for several equal changes. */
export function alikeRow(first: ListedChange, count: number, shown: Shown): Html {
  const number = count.toLocaleString('en-US')
  const isCreated = first.action === 'create'
  return html`<tr>
    <td class="sign">${sign(signOf(first.action))}</td>
    <td>
      ${number} <code>${first.type}</code>
      ${isCreated ? html`${shown.isDone ? 'were created' : 'to create'}` : html`change alike`}
      ${isCreated ? null : fieldsOf(first)} ${isCreated ? null : changeNotes(first, shown)}
    </td>
    <td class="place"><a href="${shown.link({ alike: String(first.index) })}">Show all</a></td>
  </tr>`
}

export function signOf(action: string): Sign {
  return action === 'create' || action === 'update' || action === 'delete' || action === 'move' ? action : 'none'
}

function recordLink({ type, key, from, action }: ListedChange, { isDone }: Shown, isTypeShown: boolean): Html {
  const text = html`${isTypeShown ? html`<span class="soft">${type}/</span>` : null}${keyText(key)}`
  const isThere = isDone ? action !== 'delete' : action !== 'create'
  const shown = html`<code>${text}</code>`
  return isThere
    ? html`<a class="key ${action}" href="${recordHref({ type, key: isDone ? key : (from ?? key) })}">${shown}</a>`
    : html`<span class="key ${action}">${shown}</span>`
}

function movedFrom({ from }: ListedChange): Html | null {
  return from === null ? null : html`<span class="soft">was <code>${keyText(from)}</code></span>`
}

function fieldsOf({ type, key, from, action, before, after }: ListedChange): Html | null {
  if (action === 'create' && after !== null) {
    const values = fieldValues(type, key, after).map(({ name, text }) => html`<span>${name} <b>${text}</b></span>`)
    return values.length === 0 ? null : html`<div class="values">${values}</div>`
  }
  const fields = changedFields({ type, key, before, after, ...(from !== null && { from }) })
  return fieldList(fields)
}

/** `boundaryMax  70 → 75`, in columns that line up. */
export function fieldList(fields: readonly FieldChange[]): Html | null {
  if (fields.length === 0) return null
  return html`<div class="fields">${fields.map(fieldRow)}</div>`
}

function fieldRow(field: FieldChange): Html {
  const name = html`<span class="name">${field.path}</span>`
  if (field.kind === 'same') return html`${name}<span class="soft all">${field.count} as before</span>`
  const [was, is] = textsOf(field)
  return html`${name}<span class="was">${was}</span><span class="to" aria-label="to">→</span
    ><span class="is">${is}</span>`
}

const NONE = '(none)'

function textsOf(field: Exclude<FieldChange, { kind: 'same' }>): readonly [string, string] {
  if (field.kind === 'added') return [NONE, valueText(field.after, LONGEST_VALUE)]
  if (field.kind === 'removed') return [valueText(field.before, LONGEST_VALUE), NONE]
  return pairTexts(field.before, field.after, LONGEST_VALUE)
}
