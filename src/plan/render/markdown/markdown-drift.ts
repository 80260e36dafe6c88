import { counted } from '../../../lib/counted.ts'
import type { Plan } from '../../plan.ts'
import {
  DRIFT_ADVICE,
  DRIFT_TITLE,
  driftCounts,
  driftedRecords,
  driftSentence,
  type DriftedRecord,
} from '../field-drift-text.ts'
import { fieldLines, prefixed } from './markdown-change.ts'
import type { MarkdownDetail } from './markdown-detail.ts'
import { codeSpan, fence } from './markdown-text.ts'

const MOST_RECORDS = 50
const MOST_NAMES = 10

/** The drift that no document decides about, or only its amount if there is hardly any room. */
export function driftSection(plan: Plan, detail: MarkdownDetail): string[] {
  const counts = driftCounts(plan)
  if (counts === null) return []
  if (detail.names === 0) return [`> ${driftSentence(counts)}`]
  const records = driftedRecords(plan)
  const shown = records.slice(0, detail.bodies > 0 ? MOST_RECORDS : MOST_NAMES)
  const more = records.length - shown.length
  return [
    `#### ${DRIFT_TITLE} (${counts})`,
    DRIFT_ADVICE,
    '',
    ...shown.flatMap((record) => recordItem(record, detail)),
    ...(more > 0 ? [`- … and ${counted(more, 'more record')}; \`--format json\` lists them`] : []),
  ]
}

function recordItem({ name, differences, unseen, authors }: DriftedRecord, { bodies }: MarkdownDetail): string[] {
  const head = `- **~** ${codeSpan(name)}`
  if (bodies === 0) return [head]
  return [
    head,
    ...fence('diff', [...fieldLines(differences), ...prefixed('! ', unseen), ...prefixed('# ', authors)], '  '),
  ]
}
