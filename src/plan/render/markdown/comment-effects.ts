import { formatCount } from '../../../lib/counted.ts'
import { digestOf } from '../../../lib/digest.ts'
import { accessRow, allChanges, type Plan } from '../../plan.ts'
import { recordName } from '../change-notes.ts'
import { fence, sizeOf } from './markdown-text.ts'

/** What a plan does to one record, or to the scope of one type, short enough to be kept with a comment. */
export interface Effect {
  /** `characteristics/room-temperature`, or a type alone. */
  readonly what: string
  /** An action, or a state of the scope. */
  readonly how: string
  /** Differs where the same action has another result; '' where the rest says it all. */
  readonly result: string
}

/** As `planDigest` sees them: two plans with the same digest have the same effects. */
export function effectsOf(plan: Pick<Plan, 'scope' | 'changes' | 'access'>): Effect[] {
  const rows = plan.access.state === 'unmanaged' ? plan.scope : [...plan.scope, accessRow(plan.access)]
  return [
    ...rows.map(({ type, state }) => ({ what: type, how: state, result: '' })),
    ...allChanges(plan).map((change) => {
      const { action, from = null, beforeDigest, afterDigest } = change
      const result = digestOf(JSON.stringify([from, beforeDigest, afterDigest])).slice(7, 15)
      return { what: recordName(change), how: action, result }
    }),
  ]
}

const LEGEND = '# + nobody has reviewed   - was reviewed, and is not in the plan any more'
const MOST_LINES = 60
const MOST_BYTES = 8_000

/** What is in one of two plans only: `+` what nobody has reviewed, `-` what was reviewed and is not there any more. */
export function differenceBlock(reviewed: readonly Effect[], now: readonly Effect[]): string[] {
  const before = new Map(reviewed.map((effect) => [effect.what, effect]))
  const after = new Map(now.map((effect) => [effect.what, effect]))
  const lines = [
    ...now.flatMap((effect) => newLine(effect, before.get(effect.what))),
    ...reviewed.filter(({ what }) => !after.has(what)).map(({ what, how }) => `- ${how} ${what}`),
  ]
  const shown = lines.slice(0, howMany(lines))
  const more = lines.length - shown.length
  return fence('diff', [LEGEND, ...shown, ...(more > 0 ? [`# … and ${formatCount(more)} more`] : [])])
}

/** As many lines as leave room for a plan beside them, however long the names are. */
function howMany(lines: readonly string[]): number {
  let size = 0
  const tooMuch = lines.findIndex((line) => (size += sizeOf(line) + 1) > MOST_BYTES)
  return Math.min(MOST_LINES, tooMuch === -1 ? lines.length : tooMuch)
}

function newLine({ what, how, result }: Effect, before: Effect | undefined): string[] {
  if (before === undefined) return [`+ ${how} ${what}`]
  if (before.how !== how) return [`- ${before.how} ${what}`, `+ ${how} ${what}`]
  return before.result === result ? [] : [`! ${how} ${what}: other values than reviewed`]
}
