import { counted } from '../../../lib/counted.ts'
import { styled, wrapLine, type Line } from '../../../lib/styled-line.ts'
import type { Plan } from '../../plan.ts'
import { DRIFT_ADVICE, DRIFT_TITLE, driftCounts, driftedRecords } from '../field-drift-text.ts'
import { fieldLines } from './text-fields.ts'
import { headingLines, INDENT } from './text-change.ts'

const MOST_RECORDS = 20

/** The drift that no document decides about. */
export function driftLines(plan: Plan, width: number): Line[] {
  const counts = driftCounts(plan)
  if (counts === null) return []
  const records = driftedRecords(plan)
  const more = records.length - MOST_RECORDS
  const rest = `… and ${counted(more, 'more record')}; --format json lists them`
  return [
    ...headingLines(DRIFT_TITLE, width, counts),
    ...wrapLine(['  ', styled(DRIFT_ADVICE, 'dim')], width, 2),
    ...records
      .slice(0, MOST_RECORDS)
      .flatMap(({ name, differences, unseen, authors }) => [
        ...wrapLine(['  ', name], width, INDENT),
        ...fieldLines(differences, INDENT, width),
        ...unseen.flatMap((text) => wrapLine([' '.repeat(INDENT), styled('~ ', 'changed'), text], width, INDENT + 2)),
        ...authors.flatMap((author) => wrapLine([' '.repeat(INDENT), styled(author, 'warning')], width, INDENT)),
      ]),
    ...(more > 0 ? wrapLine([`  ${rest}`], width, 4) : []),
  ]
}
