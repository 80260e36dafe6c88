import type { Finding } from '../checks/finding.ts'
import { firstFindings, MOST_FINDINGS, type FoundInText } from '../found-in-text.ts'
import { FORBIDDEN_KEY } from '../checks/text-checks.ts'
import { settleLongNumbers, type WrittenNumber } from '../numbers/written-numbers.ts'
import { inspectJson } from './inspect-json.ts'

/** The values of one file: one for JSON, any number for YAML, and none if the file has a syntax error. */
export interface ParsedText {
  readonly documents: readonly unknown[]
  readonly findings: readonly Finding[]
  /** Numbers in metadata whose spelling is not kept; left out if there are none. */
  readonly rewritten?: readonly WrittenNumber[]
}

/** Parses a text and inspects it, because JSON.parse hides some mistakes and explains others badly. */
export function parseJson(text: string, maxDepth: number): ParsedText {
  if (text.trimStart() === '') return { documents: [], findings: [] }
  const { found, isReadable } = inspectJson(text, maxDepth)
  const { findings } = found
  if (!isReadable) return { documents: [], findings }
  const parsed = tryParse(text, findings.length > 0)
  if (parsed === null) return { documents: [], findings: [UNEXPLAINED] }
  return settled([parsed.value], found)
}

/** Decides about the long numbers. If too many cannot be kept exactly, all values are dropped. */
export function settled(documents: readonly unknown[], { findings, longNumbers, rewritten }: FoundInText): ParsedText {
  const all = [...findings, ...settleLongNumbers(documents, longNumbers)]
  if (all.length > MOST_FINDINGS) return { documents: [], findings: firstFindings(all) }
  return { documents, findings: all, ...(rewritten.length > 0 && { rewritten }) }
}

const UNEXPLAINED: Finding = { code: 'syntax', message: 'the file is not valid JSON.', offset: 0 }

function tryParse(text: string, isFaulty: boolean): { readonly value: unknown } | null {
  try {
    return { value: (isFaulty ? JSON.parse(text, withoutForbiddenKey) : JSON.parse(text)) as unknown }
  } catch {
    // The message of the engine quotes the text, which may contain a secret.
    return null
  }
}

function withoutForbiddenKey(key: string, value: unknown): unknown {
  return key === FORBIDDEN_KEY ? undefined : value
}
