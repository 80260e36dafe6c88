import type { Finding } from '../finding.ts'
import { inspectJson } from './inspect-json.ts'

/** The values of one file: one for JSON, any number for YAML. None where an error was found. */
export interface ParsedText {
  readonly documents: readonly unknown[]
  readonly findings: readonly Finding[]
}

/** A text that is looked into closely: in JSON.parse some mistakes are lost in silence, and the others not explained. */
export function parseJson(text: string, maxDepth: number): ParsedText {
  if (text.trimStart() === '') return { documents: [], findings: [] }
  const findings = inspectJson(text, maxDepth)
  if (findings.length > 0) return { documents: [], findings }
  const parsed = tryParse(text)
  return parsed === null ? { documents: [], findings: [UNEXPLAINED] } : { documents: [parsed.value], findings: [] }
}

const UNEXPLAINED: Finding = { code: 'syntax', message: 'the file is not valid JSON.', offset: 0 }

function tryParse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    // The engine's message quotes the text, which may hold a secret.
    return null
  }
}
