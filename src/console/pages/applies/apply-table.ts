import type { Apply } from '../../../platform/imports/history/applies.ts'
import { html, type Html } from '../../../server/html.ts'
import type { Visit } from '../../page.ts'
import { counts } from '../../parts/sign.ts'
import { block } from '../../parts/block.ts'
import { shortTable, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { originOf, pullRequestLink, shortCommit } from './origin.ts'

const COLUMNS = [
  { label: 'Commit' },
  { label: 'Pull request' },
  { label: 'By' },
  { label: 'Changes', isNumber: true },
  { label: 'When', isNumber: true },
]

/** The last applies, as a part of another page. */
export function lastApplies({ now, zone }: Visit, applies: readonly Apply[]): Html {
  const rows = applies.map((apply) => {
    const { commit, label } = originOf(apply.origin)
    const place = commit === null ? apply.actor : html`<code>${shortCommit(commit)}</code> · ${apply.actor}`
    return {
      sign: 'apply' as const,
      cells: [
        html`<a href="/applies/${apply.uuid}">${label}</a><span class="under">${place}</span>`,
        counts(apply.summary),
        date(apply.at, now, zone),
      ],
    }
  })
  return block({ title: 'Last applies', more: { label: 'All', href: '/applies' }, body: shortTable(rows) })
}

/** A table of applies, which several pages show. */
export function applyTable({ now, zone }: Visit, applies: readonly Apply[]): Html {
  return table(
    COLUMNS,
    applies.map((apply) => {
      const origin = originOf(apply.origin)
      const { commit, label } = origin
      return {
        sign: 'apply' as const,
        cells: [
          html`<a href="/applies/${apply.uuid}"
              >${commit === null ? label : html`<code>${shortCommit(commit)}</code>`}</a
            >
            ${commit === null ? null : html`<span class="under">${label}</span>`}`,
          pullRequestLink(origin),
          apply.actor,
          counts(apply.summary),
          date(apply.at, now, zone),
        ],
      }
    }),
  )
}
