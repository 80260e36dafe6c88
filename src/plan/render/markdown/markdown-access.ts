import { counted } from '../../../lib/counted.ts'
import type { AccessPlan, Change } from '../../plan.ts'
import { accessCounts, accessSentence, accessStateText, differenceLines, type DifferenceLine } from '../access-text.ts'
import { notesOf, positionText } from '../change-notes.ts'
import { guardLines, prefixed, SIGNS, type MarkdownContext } from './markdown-change.ts'
import { codeLink, codeSpan, fence, sizeOf } from './markdown-text.ts'

/** The changes of grants for a comment. Every one of them is visible at every level of detail. */
export function accessSection(access: AccessPlan, context: MarkdownContext): string[] {
  const state = accessStateText(access)
  const differences = differenceLines(access, MOST_DIFFERENCES)
  if (state === null && access.changes.length + access.guards.length + differences.length === 0) return []
  const counts = accessCounts(access)
  const head = [...(state === null ? [] : prefixed('! ', [state])), ...guardLines(access.guards, '!   ')]
  return [
    `#### Access${counts === '' ? '' : ` (${counts})`}`,
    ...(head.length === 0 ? [] : fence('diff', head)),
    ...access.changes.flatMap((change) => grantItem(change, context)),
    ...differences.map((one) => differenceItem(one, context)),
  ]
}

const MOST_DIFFERENCES = 60

function differenceItem({ isGain, text, because }: DifferenceLine, context: MarkdownContext): string {
  const places = because.flatMap((record) => placeOf(context.lookup(record) ?? {}, context))
  return `- **${isGain ? '!' : '-'}** ${[codeSpan(text), ...places].join(' · ')}`
}

function placeOf({ source }: Pick<Change, 'source'>, { detail, sourceLink }: MarkdownContext): string[] {
  return source === undefined ? [] : [codeLink(positionText(source), detail.links ? sourceLink?.(source) : undefined)]
}

/** The sentences about grants that fit into the budget, and a line with the number of the others. */
export function accessNames({ changes }: AccessPlan, budget: number): string[] {
  const names = changes.map((change) => `- **${SIGNS[change.action]}** ${codeSpan(accessSentence(change))}`)
  let left = budget - LONGEST_REST
  const tooMany = names.findIndex((name) => (left -= sizeOf(name) + 1) < 0)
  if (tooMany === -1) return names
  const rest = `- **… and ${counted(changes.length - tooMany, 'more grant')}**`
  return budget < LONGEST_REST ? [] : [...names.slice(0, tooMany), rest]
}

/** The size of the line that tells how many more grants there are, with its line end. */
const LONGEST_REST = 40

/** One grant with its notes and guards, which the smallest levels of detail leave out. */
function grantItem(change: Change, context: MarkdownContext): string[] {
  const { detail, lookup } = context
  const head = `- **${SIGNS[change.action]}** ${[codeSpan(accessSentence(change)), ...placeOf(change, context)].join(' · ')}`
  const notes = detail.deleteNotes ? prefixed('# ', notesOf(change, lookup)) : []
  const remarks = [...notes, ...(detail.guards ? guardLines(change.guards, '! ') : [])]
  return [head, ...(remarks.length === 0 ? [] : fence('diff', remarks, '  '))]
}
