import { missingRight } from '../../../auth/require-right.ts'
import { counted } from '../../../lib/counted.ts'
import type { KeptPlan } from '../../../platform/imports/planning/kept-plans.ts'
import { allowText, type OpenGuard } from '../../../plan/render/acknowledging.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, type Filled } from '../../form.ts'
import type { Visit } from '../../page.ts'
import { block } from '../../parts/block.ts'
import { checkboxes, form, send } from '../../parts/fields.ts'
import { countsText } from '../../changes/changes-view.ts'

/**
 * The maximum number of guards that can be acknowledged here. More are acknowledged in Git, where somebody reviews
 * them.
 */
export const MOST_GUARDS = 20

/** The form that applies exactly the shown plan, or why there is none. Null if nothing is to apply. */
export function applyBlock({ caller, csrf }: Visit, { plan, canApply }: KeptPlan, filled: Filled | null): Html | null {
  const { outcome, openGuards, summary } = plan
  if (outcome === 'no-changes') return null
  const missing = missingRight('An apply', 'model:apply', caller)
  const why =
    missing !== null
      ? missing.message
      : !canApply
        ? 'Its document is too large to be kept. Apply it by the command line: holdfast apply.'
        : outcome !== 'changes' && openGuards.length === 0
          ? 'The findings show what stops it.'
          : openGuards.length > MOST_GUARDS
            ? `${counted(openGuards.length, 'guard')} are too many to confirm here. Acknowledge them in holdfast.yaml, and plan again.`
            : null
  const changes = countsText(summary, { isDone: false })
  return block({
    title: 'Apply',
    body:
      why !== null
        ? html`<p class="after">
              <button class="button" aria-disabled="true" disabled>Apply</button>
            </p>
            <p class="after soft">${why}</p>`
        : form(
            csrf,
            html`${guardChoices(openGuards, filled ?? filledWith({}))}
              <p class="soft">
                ${changes === '' ? 'It is' : html`${changes}: it is`} done as a whole or not at all, and only if it is
                still this plan. The history shows it under your name, without a commit.
              </p>
              ${send(openGuards.length === 0 ? 'Apply this plan' : `Apply, with ${counted(openGuards.length, 'guard')} allowed`, undefined, plan.lost && Object.keys(plan.lost).length > 0 ? 'danger' : 'main')}`,
          ),
  })
}

function guardChoices(guards: readonly OpenGuard[], filled: Filled): Html | null {
  if (guards.length === 0) return null
  const field = { name: 'allow', label: 'Acknowledge', hint: 'Tick all of them, or nothing is applied.' }
  return checkboxes(
    filled,
    field,
    guards.map((guard) => ({
      value: allowText(guard),
      label: guard.code,
      hint: guard.key === undefined ? guard.type : `${guard.type}/${guard.key}`,
    })),
  )
}
