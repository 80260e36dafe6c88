import { lineWidth, styled, wrapLine, type Line } from '../../../lib/styled-line.ts'
import type { AccessPlan, Change } from '../../plan.ts'
import { accessCounts, accessSentence, accessStateText, differenceLines, type DifferenceLine } from '../access-text.ts'
import { sourceText, type ChangeLookup } from '../change-notes.ts'
import {
  guardLines,
  headingLines,
  headLines,
  INDENT,
  positionOrReason,
  positionColumn,
  remarkLines,
  SIGNS,
  type TextLayout,
} from './text-change.ts'

/** The changes of grants for a terminal. Each of them is shown, even where other changes are shown as a number. */
export function accessLines(access: AccessPlan, width: number, lookup: ChangeLookup): Line[] {
  const state = accessStateText(access)
  const differences = differenceLines(access, MOST_DIFFERENCES)
  if (state === null && access.changes.length + access.guards.length + differences.length === 0) return []
  const layout = { width, column: positionColumn(access.changes.map(accessSentence), width), lookup }
  return [
    ...headingLines('Access', width, accessCounts(access)),
    ...(state === null ? [] : wrapLine(['  ', styled(state, 'warning')], width, 2)),
    ...guardLines(access.guards, INDENT, width),
    ...access.changes.flatMap((change) => [...sentenceLines(change, layout), ...remarkLines(change, layout)]),
    ...differences.flatMap((one) => differenceText(one, layout)),
  ]
}

const MOST_DIFFERENCES = 60

function differenceText({ isGain, text, because }: DifferenceLine, { width, lookup }: TextLayout): Line[] {
  const places = because.flatMap((record) => sourceText(lookup(record) ?? {}) ?? [])
  const place = places.length === 0 ? [] : [styled(` · ${places.join(', ')}`, 'dim')]
  const line = isGain ? styled(`! ${text}`, 'warning') : `- ${text}`
  return wrapLine(['  ', line, ...place], width, 4)
}

/** Wraps sentences, which may be longer than any name. */
function sentenceLines(change: Change, layout: TextLayout): Line[] {
  const { sign, style } = SIGNS[change.action]
  const line: Line = ['  ', styled(`${sign} ${accessSentence(change)}`, style)]
  const position = positionOrReason(change)
  if (lineWidth(line) <= layout.width) return headLines(change, accessSentence(change), position, layout)
  const positioned =
    position === null ? [] : wrapLine([' '.repeat(INDENT), styled(position, 'dim')], layout.width, INDENT)
  return [...wrapLine(line, layout.width, 4), ...positioned]
}
