import type { Finding } from '../finding.ts'
import { inspectJson } from './inspect-json.ts'
import { skipSpace, skipValue, startScan } from './json-scan.ts'
import { FORBIDDEN_KEY } from '../text-checks.ts'

/** The values of one file: one for JSON, any number for YAML. None where an error was found. */
export interface ParsedText {
  readonly documents: readonly unknown[]
  readonly findings: readonly Finding[]
}

/** `text` is what `bytes` decode to; both are given because each is the faster one for half of the work. */
export function parseJson(text: string, bytes: Uint8Array, maxDepth: number): ParsedText {
  if (text.trimStart() === '') return { documents: [], findings: [] }
  const parsed = tryParse(text)
  if (parsed === null || isSuspect(text, bytes, parsed.value, maxDepth)) {
    const findings = inspectJson(text, maxDepth)
    if (findings.length > 0 || parsed === null) return { documents: [], findings: orUnexplained(findings) }
  }
  return { documents: [parsed.value], findings: [] }
}

function tryParse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    // The engine's message quotes the text, which may hold a secret; the inspection explains the mistake instead.
    return null
  }
}

function orUnexplained(findings: readonly Finding[]): readonly Finding[] {
  return findings.length > 0 ? findings : [{ code: 'syntax', message: 'the file is not valid JSON.', offset: 0 }]
}

/** Escapes that may hide a NUL, half a surrogate pair, a byte order mark or a letter of the forbidden key. */
const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F]|[fF][eE][fF][fF]|00[567])/

/** Cheap tests without false negatives: whether the text may hold something that JSON.parse loses in silence. */
function isSuspect(text: string, bytes: Uint8Array, value: unknown, maxDepth: number): boolean {
  if (text.includes('\ufeff') || text.includes(FORBIDDEN_KEY)) return true
  if (text.includes('\\u') && SUSPECT_ESCAPE.test(text)) return true
  const scan = startScan(bytes)
  skipSpace(scan)
  skipValue(scan)
  if (scan.unusualNumber || scan.deepest > maxDepth) return true
  return scan.keys !== countKeys(value)
}

/** Fewer keys in the value than in its text mean that a key was given twice. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') count += countKeys(element)
    return count
  }
  for (const key in value) {
    const member = (value as { [key: string]: unknown })[key]
    count += typeof member === 'object' ? 1 + countKeys(member) : 1
  }
  return count
}
