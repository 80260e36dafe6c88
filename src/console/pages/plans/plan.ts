import { counted } from '../../../lib/counted.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { countsOf } from '../../../plan/impact-text.ts'
import { packedChangeList } from '../../../platform/imports/packed-plan.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/login/html.ts'
import { changesView, countsText } from '../../changes/changes-view.ts'
import { shownAt } from '../../changes/shown.ts'
import { declarePage, type Visit } from '../../page.ts'
import { empty } from '../../parts/block.ts'
import { date } from '../../parts/time.ts'
import { keptPlans, type KeptPlan } from './kept-plans.ts'
import { ownerOf } from './make-plan.ts'
import { acknowledgeNotice, findingsBlock, guardsBlock, scopeBlock } from './plan-parts.ts'

/** `/plans/:id`: a plan that somebody made a moment ago, to look at. */
export const PLAN_PAGE = declarePage({
  path: '/plans/:id',
  area: 'applies',
  right: 'model:plan',
  keepsWithin: false,
  async show(visit) {
    const kept = findPlan(visit)
    const { plan, changes } = kept
    const list = await packedChangeList(changes)
    const shown = shownAt(visit, {
      isDone: false,
      place: ({ source }) => (source === undefined ? null : html`<code>${source.line}:${source.column}</code>`),
    })
    const isEmpty = list.outline.size === 0
    return {
      title: titleOf(kept),
      crumbs: [
        { label: 'Applies', href: '/applies' },
        ...(kept.rollbackOf === null
          ? [{ label: 'Plan a document', href: '/plans/new' }]
          : [{ label: 'Apply', href: `/applies/${kept.rollbackOf}` }]),
      ],
      verdict: html`${verdictOf(kept)} Nothing is applied from here.`,
      place: placeOf(visit, kept),
      body: html`${acknowledgeNotice(plan)}
        <div class="beside">
          <div>
            ${findingsBlock(plan)}
            ${isEmpty ? empty('Everything is as the document says.') : await changesView(list, visit.url, shown)}
          </div>
          <div class="blocks">${scopeBlock(plan, list.outline, kept.rollbackOf !== null)} ${guardsBlock(plan)}</div>
        </div>`,
    }
  },
})

function findPlan({ platform, context, actor, now, param }: Visit): KeptPlan {
  const id = checkUuid(param('id'), 'id')
  const kept = keptPlans(platform).find(id, { domainId: context.domain.id, owner: ownerOf(actor) }, now)
  if (kept !== null) return kept
  throw new HoldfastError(
    'NOT_FOUND',
    'this plan is not kept any more, or was made by somebody else; plan the document again',
  )
}

function titleOf({ plan, rollbackOf }: KeptPlan): string {
  if (plan.outcome === 'no-changes') return 'No changes'
  if (plan.outcome === 'changes') return rollbackOf === null ? 'Ready to apply' : 'The roll-back is possible'
  const { length } = plan.openGuards
  return length === 0
    ? 'Blocked'
    : `Blocked: ${counted(length, 'guard')} ${length === 1 ? 'needs' : 'need'} an acknowledgement`
}

function verdictOf({ plan: { summary, lost } }: KeptPlan): Html {
  const counts = countsText(summary, { isDone: false })
  const loss = countsOf(lost, true)
  return html`${counts === '' ? 'No record would change' : counts}.
  ${loss === '' ? null : html`<strong class="delete">${loss} would be lost.</strong>`}`
}

function placeOf({ now, zone }: Visit, { plan, of, at }: KeptPlan): readonly Html[] {
  return [
    html`plan <code>${plan.digest.slice(0, 'sha256:'.length + 12)}</code>`,
    html`of ${of}`,
    html`against the domain ${plan.domain}, ${date(at, now, zone)}`,
  ]
}
