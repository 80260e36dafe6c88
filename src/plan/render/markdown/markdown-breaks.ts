import type { Plan } from '../../plan.ts'
import { BREAKS_TITLE, breaksCount, breakSentences } from '../breaks-text.ts'
import type { MarkdownDetail } from './markdown-detail.ts'
import { codeSpan } from './markdown-text.ts'

const MOST_BREAKS = 20

/** The members that the types of clients lose, or only their number where there is hardly any room. */
export function breaksSection(plan: Plan, { names }: MarkdownDetail): string[] {
  const count = breaksCount(plan)
  if (count === null) return []
  if (names === 0) return [`> ${BREAKS_TITLE}: ${count}.`]
  const sentences = breakSentences(plan, MOST_BREAKS, codeSpan)
  return [`#### ${BREAKS_TITLE} (${count})`, ...sentences.map((text) => `- **!** ${text}`)]
}
