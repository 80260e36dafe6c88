import type { Finding } from '../checks/finding.ts'
import { firstFindings, MOST_FINDINGS, type FoundInText } from '../found-in-text.ts'
import { FORBIDDEN_KEY } from '../checks/text-checks.ts'
import { settleLongNumbers, type WrittenNumber } from '../numbers/written-numbers.ts'
import { inspectJson } from './inspect-json.ts'

/**
 * The values of one file: one for JSON, and any number for YAML. There are none where the file cannot be read to its
 * end.
 */
export interface ParsedText {
  readonly documents: readonly unknown[]
  readonly findings: readonly Finding[]
  /** Numbers in metadata that are not kept as they are written; left out if there are none. */
  readonly rewritten?: readonly WrittenNumber[]
}

/** Parses a text and inspects it, because JSON.parse loses some mistakes silently and does not explain the others. */
export function parseJson(text: string, maxDepth: number): ParsedText {
  if (text.trimStart() === '') return { documents: [], findings: [] }
  const { found, isReadable } = inspectJson(text, maxDepth)
  const { findings } = found
  if (!isReadable) return { documents: [], findings }
  const parsed = tryParse(text, findings.length > 0)
  if (parsed === null) return { documents: [], findings: [UNEXPLAINED] }
  return settled([parsed.value], found)
}

/** Decides about the long numbers. The values are dropped where too many are not as they were written. */
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
    // The engine's message quotes the text, which may hold a secret.
    return null
  }
}

function withoutForbiddenKey(key: string, value: unknown): unknown {
  return key === FORBIDDEN_KEY ? undefined : value
}
