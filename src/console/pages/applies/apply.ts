import type { JsonObject } from '../../../lib/json.ts'
import { isObject } from '../../../lib/json.ts'
import { findApply, listApplyChanges } from '../../../platform/imports/applies.ts'
import { PLANNED_TYPE_NAMES } from '../../../records/record-type.ts'
import { html, type Html } from '../../../server/login/html.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import { declarePage } from '../../page.ts'
import { block, pairs } from '../../parts/block.ts'
import { counts, sign, type Sign } from '../../parts/sign.ts'
import { date } from '../../parts/time.ts'
import { commitLink, originOf } from './origin.ts'

/** `/applies/:uuid`: what one apply did, before and after. */
export const APPLY_PAGE = declarePage({
  path: '/applies/:uuid',
  area: 'applies',
  right: 'model:read',
  keepsWithin: false,
  async show({ context, param, now, zone }) {
    const uuid = checkUuid(param('uuid'), 'uuid')
    const [apply, changes] = [await findApply(context, uuid), await listApplyChanges(context, uuid)]
    const origin = originOf(apply.origin)
    const commit = commitLink(origin)
    return {
      title: origin.commit === null ? `Apply by ${apply.actor}` : `Apply ${origin.commit.slice(0, 7)}`,
      crumbs: [{ label: 'Applies', href: '/applies' }],
      verdict: counts(apply.summary),
      place: [
        html`by ${apply.actor}`,
        date(apply.at, now, zone),
        ...(commit === null ? [] : [html`commit ${commit}`]),
        ...(origin.repository === null ? [] : [html`${origin.repository}`]),
      ],
      body: html`<div class="beside">
        <div class="blocks">${changedTypes(changes)}</div>
        <div class="blocks">${block({ title: 'Scope', note: 'what it ruled', body: scope(apply.scope) })}</div>
      </div>`,
    }
  },
})

function scope(scope: JsonObject): Html {
  return pairs(Object.entries(scope).map(([type, how]) => [html`<code>${type}</code>`, String(how)]))
}

function changedTypes(changes: readonly JsonObject[]): readonly Html[] {
  const byType = Map.groupBy(changes, ({ type }) => String(type))
  const types = PLANNED_TYPE_NAMES.filter((type) => byType.has(type))
  return types.map((type) => {
    const own = byType.get(type) ?? []
    return block({
      title: type,
      note: own.length.toLocaleString('en-US'),
      body: html`<table class="table">
        <tbody>
          ${own.map((change) => changeRow(type, change))}
        </tbody>
      </table>`,
    })
  })
}

const SIGN_OF: { readonly [action: string]: Sign } = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  move: 'move',
}

function changeRow(type: string, change: JsonObject): Html {
  const [action, key] = [String(change['action']), String(change['key'])]
  const name = SIGN_OF[action] ?? 'none'
  const before = isObject(change['before']) ? change['before'] : null
  const after = isObject(change['after']) ? change['after'] : null
  return html`<tr>
    <td class="sign">${sign(name)}</td>
    <td>
      <a class="${name}" href="/model/${type}/${encodeURIComponent(key)}"><code>${key}</code></a>
      ${typeof change['from'] === 'string' ? html` <span class="soft">was <code>${change['from']}</code></span>` : null}
      ${before === null || after === null ? null : changedFields(before, after)}
    </td>
  </tr>`
}

/** The fields that differ, before → after. */
export function changedFields(before: JsonObject, after: JsonObject): Html {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return html`<div class="change">
    ${changed.map(
      (name) =>
        html`<span class="soft mono">${name}</span
          ><span
            ><span class="was">${valueText(before[name])}</span> →
            <span class="is">${valueText(after[name])}</span></span
          >`,
    )}
  </div>`
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '(none)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
