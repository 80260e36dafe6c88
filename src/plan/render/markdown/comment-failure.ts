import { counted } from '../../../lib/counted.ts'
import type { Diagnostic } from '../../../lib/diagnostic.ts'
import { wrapLine } from '../../../lib/styled-line.ts'
import { escapeUnseen } from '../../../lib/visible-text.ts'
import type { SourceLink } from './markdown-change.ts'
import { diagnosticList } from './markdown-sections.ts'
import { codeSpan, fence, quoted, sizeOf } from './markdown-text.ts'
import { valueText } from '../value-text.ts'

/** The reason why there is no plan, or why a plan was not carried out. */
export interface Failure {
  /** `Not planned` or `Not applied` */
  readonly headline: string
  /** Absent if no platform is asked. */
  readonly platform?: string
  /** The directory of the models, if there may be several. */
  readonly title?: string
  readonly message: string
  readonly diagnostics: readonly Diagnostic[]
  /** Our own markdown, shown right below the first line. */
  readonly notes: readonly string[]
  /** Our own markdown, one text for each point of a list. */
  readonly advice: readonly string[]
  /** Markdown from `differenceBlock`. */
  readonly difference?: readonly string[]
}

const SHOWN = [Infinity, 200, 50, 10, 0]
const LONGEST_MESSAGE = 4_000
const WIDTH = 100
const LONGEST_NAME = 120

/** Renders a failure in at most `limit` bytes if possible, by leaving out findings. */
export function renderFailure(failure: Failure, limit: number, sourceLink?: SourceLink): string {
  const texts = SHOWN.values().map((most) => failureAt(failure, most, sourceLink))
  return texts.find((text) => sizeOf(text) <= limit) ?? failureAt({ ...failure, difference: [] }, 0, sourceLink)
}

function failureAt(failure: Failure, most: number, sourceLink: SourceLink | undefined): string {
  const { diagnostics, notes, advice, difference = [], message } = failure
  const more = diagnostics.length - most
  const sections = [
    [firstLine(failure)],
    quoted(notes),
    fence('text', messageLines(message)),
    diagnosticList(diagnostics, most, sourceLink),
    more > 0 ? [`> Too long for one comment; left out: ${counted(more, 'finding')}.`] : [],
    difference.length === 0 ? [] : ['#### Other than reviewed', ...difference],
    advice.length === 0 ? [] : ['#### What to do', ...advice.map((point) => `- ${point}`)],
  ]
  const blocks = sections.filter((section) => section.length > 0).map((section) => section.join('\n'))
  return `${blocks.join('\n\n')}\n`
}

function messageLines(message: string): string[] {
  const lines = message.slice(0, LONGEST_MESSAGE).toWellFormed().split('\n').map(escapeUnseen)
  return lines.flatMap((line) => wrapLine([line], WIDTH, 4).map((parts) => parts.join('')))
}

function firstLine({ headline, diagnostics, platform, title }: Failure): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  const counts = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : ''].filter(
    (count) => count !== '',
  )
  const found = counts.length === 0 ? '' : `: ${counts.join(', ')}`
  const models = title === undefined ? '' : ` · ${codeSpan(valueText(title, LONGEST_NAME))}`
  const where = platform === undefined ? '' : ` on ${codeSpan(valueText(platform, LONGEST_NAME))}`
  return `### ❌ ${headline}${found}${where}${models}`
}
