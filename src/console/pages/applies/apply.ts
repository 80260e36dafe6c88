import { findApply, type Apply } from '../../../platform/imports/history/applies.ts'
import { applyChangeList, refusedSince, type Refused } from '../../../platform/imports/history/changes-of-apply.ts'
import { PLANNED_TYPE_NAMES } from '../../../records/record-type.ts'
import { html, type Html } from '../../../server/html.ts'
import { changesView, countsText } from '../../changes/changes-view.ts'
import { shownAt } from '../../changes/shown.ts'
import { namedUuid } from '../../named-uuid.ts'
import { declarePage, type Visit } from '../../page.ts'
import { block, empty, notice, pairs } from '../../parts/block.ts'
import { date } from '../../parts/time.ts'
import { planRollbackForPages } from '../plans/send-plan.ts'
import {
  commitLink,
  originOf,
  pullRequestLink,
  repositoryLink,
  shortCommit,
  sourceLink,
  type Origin,
} from './origin.ts'
import { csrfField } from '../../../server/login/csrf.ts'

/** `/applies/:uuid`: one apply with its changes, and the applies before and after it. */
export const APPLY_PAGE = declarePage({
  path: '/applies/:uuid',
  area: 'applies',
  right: 'model:read',
  rightToChange: 'model:plan',
  keepsWithin: false,
  async show(visit) {
    const { context, caller, url } = visit
    const uuid = namedUuid(visit, 'apply')
    const [apply, list] = await Promise.all([findApply(context, uuid), applyChangeList(context, uuid)])
    const origin = originOf(apply.origin)
    const followed = caller.rights.has('data:read') ? await refusedSince(context, apply, list) : null
    const place = ({ source }: { source?: Parameters<typeof sourceLink>[0] }) =>
      source === undefined ? null : sourceLink(source, origin)
    const shown = shownAt(visit, { isDone: true, place })
    return {
      title: titleOf(apply, origin),
      crumbs: [{ label: 'Applies', href: '/applies' }],
      verdict: html`${verdictOf(apply, list.outline.size)}`,
      place: placeOf(visit, apply, origin),
      actions: caller.rights.has('model:plan') && list.outline.size > 0 ? [rollbackButton(visit)] : [],
      body: html`${followed === null ? null : followedNotice(followed)}
        <div class="beside">
          <div>
            ${list.outline.size === 0 ? empty('It changed no record, only which types are managed.') : await changesView(list, url, shown)}
          </div>
          <div class="blocks">${scopeBlock(apply)} ${originBlock(apply, origin)}</div>
        </div>`,
    }
  },
  async receive(visit) {
    const id = await planRollbackForPages(visit, namedUuid(visit, 'apply'))
    return { to: `/plans/${id}` }
  },
})

export function titleOf({ actor }: Pick<Apply, 'actor'>, { commit, rollbackOf }: Origin): string {
  if (rollbackOf !== null) return `Roll-back by ${actor}`
  return commit === null ? `Apply by ${actor}` : `Apply ${shortCommit(commit)}`
}

function verdictOf({ summary }: Apply, size: number): string {
  const counts = countsText(summary, { isDone: true })
  const text = counts === '' ? (size === 0 ? 'no record was changed' : `${size} grants were changed`) : counts
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

function placeOf({ now, zone }: Visit, { actor, at }: Apply, origin: Origin): readonly Html[] {
  const [commit, pullRequest] = [commitLink(origin), pullRequestLink(origin)]
  return [
    // Names the actor, unless the title already contains the actor.
    ...(titleOf({ actor }, origin).includes(actor) ? [] : [html`by ${actor}`]),
    date(at, now, zone),
    ...(commit === null ? [] : [html`commit ${commit}`]),
    ...(pullRequest === null ? [] : [html`pull request ${pullRequest}`]),
    ...(origin.rollbackOf === null ? [] : [html`undoes <a href="/applies/${origin.rollbackOf}">an earlier apply</a>`]),
  ]
}

function rollbackButton({ csrf }: Visit): Html {
  return html`<form method="post">
    ${csrfField(csrf)}
    <button class="button">Look at the roll-back plan</button>
  </form>`
}

function followedNotice({ isOfAny, codes }: Refused): Html | null {
  const [sure, perhaps] = [
    codes.reduce((sum, { count }) => sum + count, 0),
    codes.reduce((sum, code) => sum + code.perhaps, 0),
  ]
  if (sure + perhaps === 0) return null
  const of = isOfAny ? 'of whatever characteristic' : 'of characteristics that it changed'
  const number = sure === 0 ? `up to ${count(perhaps)}` : count(sure)
  const more = sure === 0 || perhaps === 0 ? '' : `, and up to ${count(perhaps)} more on its day`
  const title = `Since then ${number} datapoints were refused, ${of}${more}`
  return notice(
    'warn',
    title,
    html`${codes.map((one) => html`<code>${one.code}</code> ${count(one.count + one.perhaps)} `)}`,
  )
}

function scopeBlock({ scope, notManaged }: Apply): Html {
  const managed = PLANNED_TYPE_NAMES.filter((type) => (scope[type] ?? 'unmanaged') !== 'unmanaged')
  const rows = managed.map(
    (type) => [html`<a href="/model/${type}"><code>${type}</code></a>`, String(scope[type])] as const,
  )
  return block({
    title: 'Scope',
    note: 'the record types that it managed',
    body: html`${pairs(rows)}
    ${
      notManaged.length === 0
        ? null
        : html`<p class="after">
            No longer managed: ${notManaged.join(', ')}. Records of these types stayed as they were.
          </p>`
    }`,
  })
}

function originBlock({ uuid, planDigest, origin: told }: Apply, { ref, repository }: Origin): Html {
  const starter = typeof told['actor'] === 'string' ? told['actor'] : null
  return block({
    title: 'Origin',
    note: 'as it said itself',
    body: pairs([
      ...(repository === null ? [] : [['repository', repositoryLink({ repository })] as const]),
      ...(ref === null ? [] : [['ref', html`<code>${ref}</code>`] as const]),
      ...(starter === null ? [] : [['started by', starter] as const]),
      ['apply', html`<code>${uuid}</code>`],
      ['plan', html`<code>${planDigest}</code>`],
    ]),
  })
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
