import { formatCount } from '../../../lib/counted.ts'
import { digestOf } from '../../../lib/digest.ts'
import { accessRow, allChanges, type Plan } from '../../plan.ts'
import { recordName } from '../change-notes.ts'
import { fence, sizeOf } from './markdown-text.ts'

/** The effect of a plan on one record or on the scope of one type, short enough for a comment. */
export interface Effect {
  /** `characteristics/room-temperature`, or only the name of a type. */
  readonly what: string
  /** An action, or a state of the scope. */
  readonly how: string
  /** A short digest that tells equal actions with different results apart; empty for a row of the scope. */
  readonly result: string
}

/** The effects of a plan. `planDigest` covers exactly these effects, so plans with equal digests have equal effects. */
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

const OTHERWISE = ': other values than reviewed'

/** An effect of only one of two plans: `+` the later one, `-` the reviewed one, `!` both, with other values. */
interface Difference {
  readonly sign: '+' | '-' | '!'
  /** `create characteristics/room-temperature` */
  readonly text: string
}

function differencesOf(reviewed: readonly Effect[], now: readonly Effect[]): Difference[] {
  const before = new Map(reviewed.map((effect) => [effect.what, effect]))
  const after = new Map(now.map((effect) => [effect.what, effect]))
  return [
    ...now.flatMap((effect) => differencesTo(effect, before.get(effect.what))),
    ...reviewed.filter(({ what }) => !after.has(what)).map((effect) => ({ sign: '-', text: textOf(effect) }) as const),
  ]
}

function differencesTo(effect: Effect, before: Effect | undefined): Difference[] {
  const text = textOf(effect)
  if (before === undefined) return [{ sign: '+', text }]
  if (before.how !== effect.how)
    return [
      { sign: '-', text: textOf(before) },
      { sign: '+', text },
    ]
  return before.result === effect.result ? [] : [{ sign: '!', text }]
}

function textOf({ what, how }: Effect): string {
  return `${how} ${what}`
}

const MEANINGS: { readonly [sign in Difference['sign']]: string } = {
  '+': ': nobody has reviewed it',
  '-': ': was reviewed, and is not in the plan any more',
  '!': OTHERWISE,
}

/** The differences as sentences, for a message. */
export function differenceSentences(reviewed: readonly Effect[], now: readonly Effect[]): string[] {
  const all = differencesOf(reviewed, now)
  const more = all.length - MOST_LINES
  const shown = all.slice(0, MOST_LINES).map(({ sign, text }) => `${text}${MEANINGS[sign]}`)
  return more > 0 ? [...shown, `… and ${formatCount(more)} more`] : shown
}

/**
 * The effects that only one of two plans has: `+` for effects that were not reviewed, `-` for reviewed effects that are
 * gone.
 */
export function differenceBlock(reviewed: readonly Effect[], now: readonly Effect[]): string[] {
  const lines = differencesOf(reviewed, now).map(({ sign, text }) => `${sign} ${text}${sign === '!' ? OTHERWISE : ''}`)
  const shown = lines.slice(0, howMany(lines))
  const more = lines.length - shown.length
  return fence('diff', [LEGEND, ...shown, ...(more > 0 ? [`# … and ${formatCount(more)} more`] : [])])
}

/** This number of lines leaves enough room for a plan in the same comment, even if all names are long. */
function howMany(lines: readonly string[]): number {
  let size = 0
  const tooMuch = lines.findIndex((line) => (size += sizeOf(line) + 1) > MOST_BYTES)
  return Math.min(MOST_LINES, tooMuch === -1 ? lines.length : tooMuch)
}
