import { counted } from '../../../lib/counted.ts'
import { changedFields } from '../../../plan/render/record-fields.ts'
import type { RecordChange, RecordHistory } from '../../../platform/records/record-history.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { fieldList, signOf } from '../../changes/change-row.ts'
import type { Visit } from '../../page.ts'
import { block } from '../../parts/block.ts'
import { sign } from '../../parts/sign.ts'
import { date } from '../../parts/time.ts'
import { originOf, pullRequestLink, shortCommit } from '../applies/origin.ts'
import { recordHref } from '../../record-link.ts'

/** The author of changes since the last apply. */
export interface ByHand {
  readonly actor: string
  readonly changedAt: Date
}

/** The history of a record: manual changes since the last apply, and then its applies, the latest first. */
export function historyBlock(
  visit: Visit,
  record: StoredRecord,
  { changes, next }: RecordHistory,
  byHand: ByHand | undefined,
): Html {
  const applied = counted(changes.length, 'change')
  const count = byHand === undefined ? applied : `${applied} by applies, and changed by hand since`
  const isWhole = next === null && !visit.url.searchParams.has('before')
  return block({
    title: 'History',
    note: isWhole ? count : `${count} by these applies`,
    body: html`${
      changes.length === 0 && byHand === undefined
        ? html`<p class="after soft">${isWhole ? 'No apply' : 'None of these applies'} has changed it.</p>`
        : html`<table class="table changes history">
            <tbody>
              ${byHand === undefined ? null : byHandRow(visit, byHand)}
              ${changes.map((change) => historyRow(visit, change))}
            </tbody>
          </table>`
    }
    ${next === null ? null : html`<p class="after"><a class="button" href="${recordHref(record)}?${new URLSearchParams({ ...next })}">Look through older applies</a></p>`}`,
  })
}

function byHandRow({ now, zone }: Visit, { actor, changedAt }: ByHand): Html {
  return html`<tr>
    <td class="sign">${sign('update')}</td>
    <td>
      changed on the platform
      <p class="note"><a href="/drift">What differs from the last apply</a> · ${actor}</p>
    </td>
    <td class="number">${date(changedAt, now, zone)}</td>
  </tr>`
}

const WORDS: { readonly [action: string]: string } = { create: 'created', delete: 'deleted', move: 'moved' }

function historyRow({ now, zone }: Visit, change: RecordChange): Html {
  const { action, type, key, from, before, after, apply } = change
  const origin = originOf(apply.origin)
  const pullRequest = pullRequestLink(origin)
  const by = origin.commit === null ? origin.label : html`<code>${shortCommit(origin.commit)}</code>`
  return html`<tr>
    <td class="sign">${sign(signOf(action))}</td>
    <td>
      ${WORDS[action] ?? null} ${from === null ? null : html`<span class="soft">from <code>${from}</code></span>`}
      ${fieldList(changedFields({ type, key, before, after, ...(from !== null && { from }) }))}
      <p class="note">
        <a href="/applies/${apply.uuid}">${by}</a>${pullRequest === null ? null : html` · ${pullRequest}`} ·
        ${apply.actor}
      </p>
    </td>
    <td class="number">${date(apply.at, now, zone)}</td>
  </tr>`
}
