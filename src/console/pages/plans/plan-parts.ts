import { capitalized } from '../../../lib/letter-case.ts'
import { plainText } from '../../../lib/visible-text.ts'
import type { ChangeOutline } from '../../../plan/outline/change-outline.ts'
import { accessRow, type ScopeRow } from '../../../plan/plan.ts'
import { BREAKS_TITLE, breaksCount, breakSentences } from '../../../plan/render/breaks-text.ts'
import { yamlLines } from '../../../plan/render/acknowledging.ts'
import type { PlanHead } from '../../../platform/imports/planning/packed-plan.ts'
import { html, type Html } from '../../../server/html.ts'
import type { PlanProblem } from './send-plan.ts'
import { block, notice } from '../../parts/block.ts'
import { counts as actionCounts, sign } from '../../parts/sign.ts'
import { withCode } from '../../parts/with-code.ts'

const MOST_ENTRIES = 50
const MOST_FINDINGS = 50

/** Shows the lines to paste into holdfast.yaml to acknowledge the guards. */
export function acknowledgeNotice({ openGuards }: PlanHead): Html | null {
  if (openGuards.length === 0) return null
  const lines = yamlLines(openGuards.slice(0, MOST_ENTRIES))
  const more = openGuards.length - MOST_ENTRIES
  return notice(
    'bad',
    'Confirm the guarded changes, or revert them',
    html`<p>
        If the model is in Git, paste this into <code>holdfast.yaml</code> beside the models, where it is reviewed with
        the change. <code>status: ARCHIVED</code> keeps the data of a record instead.
      </p>
      <div class="paste">
        <button type="button" class="button scripted" data-copy="acknowledge">Copy</button>
        <pre class="code" tabindex="0" id="acknowledge">${lines.join('\n')}</pre>
      </div>
      ${more > 0 ? html`<p>and ${more.toLocaleString('en-US')} more, as soon as these are said</p>` : null}`,
  )
}

/** Explains why an apply was rejected, and that nothing was changed. */
export function refusedNotice({ message, errors }: PlanProblem): Html {
  return notice(
    'bad',
    'Nothing was applied',
    html`<p>${withCode(capitalized(message))}.</p>
      ${
        errors.length === 0
          ? null
          : html`<ul class="findings">
              ${errors.map(
                ({ pointer, code, detail }) =>
                  html`<li>
                    <span><code>${code} ${pointer}</code> ${withCode(detail)}</span>
                  </li>`,
              )}
            </ul>`
      }
      <p><a class="button" href="/plans/new">Plan again</a></p>`,
  )
}

export function findingsBlock({ diagnostics }: PlanHead): Html | null {
  if (diagnostics.length === 0) return null
  const more = diagnostics.length - MOST_FINDINGS
  return block({
    title: 'Findings',
    note: diagnostics.length.toLocaleString('en-US'),
    body: html`<ul class="findings">
        ${diagnostics.slice(0, MOST_FINDINGS).map(
          ({ severity, code, message, pointer, line, column }) =>
            html`<li>
              ${sign(severity === 'error' ? 'failed' : 'needs')}
              <span>
                <code>${code}</code> ${withCode(message)}
                <span class="soft mono">${line === undefined ? pointer : `${line}:${column ?? 1}`}</span>
              </span>
            </li>`,
        )}
      </ul>
      ${more > 0 ? html`<p class="after">and ${more.toLocaleString('en-US')} more</p>` : null}`,
  })
}

/** The record types that the plan manages, with their records and changes. */
export function scopeBlock(plan: PlanHead, outline: ChangeOutline, isRollback: boolean): Html {
  // A rollback manages single records, and no type as a whole.
  const isChanged = ({ type }: ScopeRow) => outline.parts.some(({ counts }) => counts[type] !== undefined)
  const all = [...plan.scope, accessRow({ ...plan.access, changes: [] })]
  const rows = isRollback ? all.filter(isChanged) : all
  return block({
    title: 'Scope',
    note: 'what this plan rules',
    body: html`<table class="table">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col" class="number">Records</th>
            <th scope="col" class="number">Changes</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => scopeLine(row, outline))}
        </tbody>
      </table>
      <p class="after soft">Unmanaged types are neither created nor changed nor deleted.</p>`,
  })
}

function scopeLine({ type, state, desired, actual, live = actual }: ScopeRow, outline: ChangeOutline): Html {
  const isManaged = state !== 'unmanaged'
  const records = isManaged ? desired : live
  return html`<tr class="${isManaged ? '' : 'soft'}">
    <td><code>${type}</code></td>
    <td class="number">${records.toLocaleString('en-US')}</td>
    <td class="number">${isManaged && state === 'managed' ? actionCounts(countsOfType(outline, type)) : state}</td>
  </tr>`
}

function countsOfType({ parts }: ChangeOutline, type: ScopeRow['type']) {
  const sum = (action: 'create' | 'update' | 'move' | 'delete') =>
    parts.reduce((total, part) => total + (part.counts[type]?.[action] ?? 0), 0)
  return { create: sum('create'), update: sum('update'), move: sum('move'), delete: sum('delete') }
}

const MOST_DIFFERENCES = 50

/** Lists who gains or loses rights by the plan. */
export function accessDiffBlock({ access: { diff } }: PlanHead): Html | null {
  if (diff === undefined) return null
  const shown = diff.changes.slice(0, MOST_DIFFERENCES)
  const more = diff.changes.length - shown.length + (diff.withheld ?? 0)
  return block({
    title: 'Access',
    note: 'who could do more or less',
    body: html`<ul class="findings">
        ${shown.map(
          ({ gains, message }) =>
            html`<li>${sign(gains.length > 0 ? 'needs' : 'none')}<span>${capitalized(message)}</span></li>`,
        )}
      </ul>
      ${more > 0 ? html`<p class="after">and ${more.toLocaleString('en-US')} more</p>` : null}`,
  })
}

/** Lists the members that the types of clients lose by the plan. */
export function breaksBlock(plan: PlanHead): Html | null {
  const sentences = breakSentences(plan, MOST_DIFFERENCES, plainText)
  if (sentences.length === 0) return null
  return block({
    title: BREAKS_TITLE,
    note: breaksCount(plan) ?? '',
    body: html`<ul class="findings">
      ${sentences.map((text) => html`<li>${sign('needs')}<span>${capitalized(text)}</span></li>`)}
    </ul>`,
  })
}

export function guardsBlock({ openGuards, scope, access }: PlanHead): Html | null {
  const codes = [...Map.groupBy(openGuards, ({ code }) => code)]
  const acknowledged = [...scope, access].flatMap(({ guards }) => guards).filter((guard) => guard.acknowledged)
  if (codes.length + acknowledged.length === 0) return null
  return block({
    title: 'Guards',
    body: html`<table class="table">
      <tbody>
        ${codes.map(
          ([code, open]) =>
            html`<tr>
              <td class="sign">${sign('needs')}</td>
              <td><code>${code}</code></td>
              <td class="number">${open.length.toLocaleString('en-US')} open</td>
            </tr>`,
        )}
        ${acknowledged.map(
          ({ code }) =>
            html`<tr>
              <td class="sign">${sign('done')}</td>
              <td><code>${code}</code></td>
              <td class="number">acknowledged</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  })
}
