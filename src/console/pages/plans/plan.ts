import { counted } from '../../../lib/counted.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { countsOf } from '../../../plan/impact-text.ts'
import { findKeptPlan, type KeptPlan } from '../../../platform/imports/planning/kept-plans.ts'
import { parseAllow } from '../../../plan/guards/parse-allow.ts'
import type { Acknowledgement } from '../../../records/settings.ts'
import { html, type Html } from '../../../server/html.ts'
import { changesView, countsText } from '../../changes/changes-view.ts'
import { shownAt } from '../../changes/shown.ts'
import type { Filled } from '../../form.ts'
import { namedUuid } from '../../named-uuid.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import { empty } from '../../parts/block.ts'
import { date } from '../../parts/time.ts'
import { applyBlock, MOST_GUARDS } from './apply-form.ts'
import { applyKept, ownerOf, type PlanProblem } from './send-plan.ts'
import {
  accessDiffBlock,
  acknowledgeNotice,
  breaksBlock,
  findingsBlock,
  guardsBlock,
  refusedNotice,
  scopeBlock,
} from './plan-parts.ts'

/** `/plans/:id`: a kept plan, to review it and to apply exactly that plan. */
export const PLAN_PAGE = declarePage({
  path: '/plans/:id',
  area: 'applies',
  right: 'model:plan',
  rightToChange: 'model:apply',
  keepsWithin: false,
  show: async (visit) => shown(visit, await findPlan(visit)),
  async receive(visit, filled) {
    const kept = await findPlan(visit)
    const done = await applyKept(visit, kept, allowedIn(filled))
    if ('uuid' in done) return { to: `/applies/${done.uuid}` }
    return { ...(await shown(visit, kept, { filled, problem: done.problem })), status: 409 }
  },
})

function allowedIn(filled: Filled): readonly Acknowledgement[] {
  const texts = filled.all('allow')
  if (texts.length > MOST_GUARDS)
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `allow: at most ${MOST_GUARDS} guards are allowed here, and these are ${texts.length}; acknowledge the guards in holdfast.yaml, and plan again`,
    )
  return texts.map((text) => parseAllow(text, 'allow'))
}

interface Again {
  readonly filled: Filled
  readonly problem: PlanProblem
}

async function shown(visit: Visit, kept: KeptPlan, again?: Again): Promise<View> {
  const { plan, changes: list } = kept
  const look = shownAt(visit, {
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
    verdict: verdictOf(kept),
    place: placeOf(visit, kept),
    body: html`${again === undefined ? acknowledgeNotice(plan) : refusedNotice(again.problem)}
      <div class="beside">
        <div>
          ${findingsBlock(plan)} ${breaksBlock(plan)} ${accessDiffBlock(plan)}
          ${isEmpty ? empty('Everything equals the document.') : await changesView(list, visit.url, look)}
        </div>
        <div class="blocks">
          ${guardsBlock(plan)} ${applyBlock(visit, kept, again?.filled ?? null)}
          ${scopeBlock(plan, list.outline, kept.rollbackOf !== null)}
        </div>
      </div>`,
  }
}

async function findPlan(visit: Visit): Promise<KeptPlan> {
  const kept = await findKeptPlan(visit.context, ownerOf(visit.actor), namedUuid(visit, 'plan', 'id'))
  if (kept !== null) return kept
  throw new HoldfastError('NOT_FOUND', 'this plan has expired, or somebody else made it; plan the document again')
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
  const loss = `${lost.isLeast ? 'At least ' : ''}${countsOf(lost.counts)}`
  return html`${counts === '' ? 'No record would change' : counts}.
  ${Object.keys(lost.counts).length === 0 ? null : html`<strong class="delete">${loss} would be lost.</strong>`}`
}

function placeOf({ now, zone }: Visit, { plan, of, at }: KeptPlan): readonly Html[] {
  return [
    html`plan <code>${plan.digest.slice(0, 'sha256:'.length + 12)}</code>`,
    html`of ${of}`,
    html`against the domain ${plan.domain}, ${date(at, now, zone)}`,
  ]
}
