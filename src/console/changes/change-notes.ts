import { nameSome } from '../../lib/counted.ts'
import { countsOf } from '../../plan/impact-text.ts'
import { lostWith } from '../../platform/imports/applying/lost-data.ts'
import type { Guard } from '../../plan/plan.ts'
import type { ListedChange } from '../../platform/imports/history/change-list.ts'
import { html, type Html } from '../../server/html.ts'
import { sign } from '../parts/sign.ts'
import { withCode } from '../parts/with-code.ts'
import type { Shown } from './shown.ts'

const MOST_REFERRERS = 6

/** The notes next to the fields of a change: its cost, other authors, and required decisions. */
export function changeNotes(change: ListedChange, shown: Shown): Html[] {
  const { guards = [], reason } = change
  const notes = [
    costOf(change),
    secretOf(change),
    causeOf(change, shown),
    reason === undefined ? null : html`because ${reason}`,
    referrersOf(change),
  ]
  return [
    ...notes.filter((note) => note !== null).map((note) => html`<p class="note">${note}</p>`),
    ...guards.map(guardNote),
  ]
}

/** The cost of a change; null if a guard about data already names it. */
function costOf({ type, action, impact = {}, guards = [] }: ListedChange): Html | null {
  if (guards.some(({ code }) => code.endsWith('-data'))) return null
  const counts = countsOf(impact)
  if (counts === '') return null
  const lost = countsOf(lostWith({ type, action, impact }) ?? {})
  if (lost !== '') return html`<strong class="delete">${lost}</strong> would be lost`
  return action === 'move' ? html`keeps ${counts}` : html`in use: ${counts}`
}

function secretOf({ secret }: ListedChange): Html | null {
  if (secret === 'changed') return html`its secret changes`
  return secret === 'not compared' ? html`its secret was not compared` : null
}

const CAUSES: { readonly [action: string]: string } = {
  create: 'deleted on the platform; the document puts it back',
  delete: 'created on the platform; the document does not have it',
}

const DRIFTED: { readonly [action: string]: string } = {
  create: 'made on the platform',
  delete: 'deleted on the platform',
}

function causeOf({ cause, action, drift }: ListedChange, { isDone, moment }: Shown): Html | null {
  if (cause === 'you') return null
  const who = drift === undefined ? null : html` by ${drift.actor}, ${moment(drift.at)}`
  if (isDone && drift !== undefined)
    return html`<span class="update">${DRIFTED[action] ?? 'changed on the platform'}${who}</span>`
  if (cause === 'both')
    return html`<span class="update"
      >also changed on the platform${who}${isDone ? null : html`; this change overwrites it`}</span
    >`
  return html`<span class="update"
    >${CAUSES[action] ?? 'changed on the platform; the document puts it back'}${who}</span
  >`
}

function referrersOf({ referrers = [] }: ListedChange): Html | null {
  if (referrers.length === 0) return null
  return html`referenced by
  ${nameSome(
    referrers.map(({ type, key }) => `${type}/${key}`),
    MOST_REFERRERS,
  )}`
}

function guardNote({ code, acknowledged, message, examples = [] }: Guard): Html {
  return html`<p class="note">
    ${sign(acknowledged ? 'done' : 'needs')} <code class="${acknowledged ? 'create' : 'delete'}">${code}</code>
    ${acknowledged ? 'acknowledged: ' : ''}${withCode(message)}
    ${examples.map(({ at, value }) => html`<span class="soft">${value} at ${at}</span> `)}
  </p>`
}
