import { lineWidth, styled, wrapLine, type Line } from '../../../lib/styled-line.ts'
import type { AccessPlan, Change } from '../../plan.ts'
import { accessCounts, accessSentence, accessStateText } from '../access-text.ts'
import type { ChangeLookup } from '../change-notes.ts'
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
  if (state === null && access.changes.length === 0) return []
  const layout = { width, column: positionColumn(access.changes.map(accessSentence), width), lookup }
  return [
    ...headingLines('Access', width, accessCounts(access)),
    ...(state === null ? [] : wrapLine(['  ', styled(state, 'warning')], width, 2)),
    ...guardLines(access.guards, INDENT, width),
    ...access.changes.flatMap((change) => [...sentenceLines(change, layout), ...remarkLines(change, layout)]),
  ]
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
