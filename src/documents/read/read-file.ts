import type { Diagnostic } from '../../lib/diagnostic.ts'
import { decode } from './decode.ts'
import { fileDiagnostics, type Finding, type ValuePath } from '../checks/finding.ts'
import { parseJson, type ParsedText } from '../json/parse-json.ts'
import { describeRewritten, mayBeRewritten, type RewrittenMetadata } from '../numbers/rewritten-numbers.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import type { AliasBudget } from '../yaml/yaml-aliases.ts'
import { isUtf8 } from 'node:buffer'
import { FORBIDDEN_KEY } from '../checks/text-checks.ts'
import { WrittenList } from './written-list.ts'
import { behindSpace, behindValue, startSurvey, type SurveyedMember } from '../json/survey-json.ts'

/** A file as it was read. `path` is shown to users: it is relative to where the command was started, with `/`. */
export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface ReadFile {
  readonly source: SourceFile
  /**
   * The values in the file: none where it cannot be read, and several in YAML with several documents. In JSON, lists
   * of records may be left as text.
   */
  readonly documents: readonly unknown[]
  readonly diagnostics: readonly Diagnostic[]
  /** The values that are not as they were written. */
  readonly damaged: readonly ValuePath[]
  readonly rewritten: readonly RewrittenMetadata[]
  /** False if it is certain that no text value contains `${`. */
  readonly mayHoldReferences: boolean
}

interface ReadLimits {
  readonly maxDepth: number
  readonly aliases: AliasBudget
}

export function isJson({ path }: SourceFile): boolean {
  return /\.json$/i.test(path)
}

export function readFile(source: SourceFile, limits: ReadLimits): ReadFile {
  const { bytes } = source
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const outline = isJson(source) && !mayBeRewritten(buffer) ? readShallow(buffer, limits.maxDepth) : undefined
  if (outline === undefined) return readClosely(source, limits)
  // An outline has no escapes, so no escape can stand for a part of `${`.
  const nothing = { diagnostics: [], damaged: [], rewritten: [] }
  return { source, documents: [outline], ...nothing, mayHoldReferences: buffer.includes('${') }
}

function readClosely(source: SourceFile, limits: ReadLimits): ReadFile {
  const { text, findings } = decode(source.bytes)
  const parsed: ParsedText = findings.length > 0 ? { documents: [], findings } : parse(source, text, limits)
  const { documents, rewritten = [] } = parsed
  const diagnostics = parsed.findings.length > 0 ? fileDiagnostics(parsed.findings, source.path, text) : []
  const damaged = parsed.findings.flatMap(({ value }) => value ?? [])
  return {
    source,
    documents,
    diagnostics,
    damaged,
    rewritten: describeRewritten(rewritten, documents, { path: source.path, text }),
    mayHoldReferences: mayHoldReferences(source, text),
  }
}

function parse(source: SourceFile, text: string, { maxDepth, aliases }: ReadLimits): ParsedText {
  if (isJson(source)) return parseJson(text, maxDepth)
  if (/\.ya?ml$/i.test(source.path)) return parseYaml(text, maxDepth, aliases)
  const message = 'only files that end in .yaml, .yml or .json are read; rename the file or remove it.'
  const finding: Finding = { code: 'unknown-file-type', message, offset: 0 }
  return { documents: [], findings: [finding] }
}

/** Tells whether a text may contain `${`. It can be written with escapes, in quotes of YAML in many ways. */
function mayHoldReferences(source: SourceFile, text: string): boolean {
  if (text.includes('${')) return true
  return isJson(source) ? text.includes('\\u') && /\\u00(?:24|7[bB])/.test(text) : text.includes('\\')
}

/**
 * Reads the object in a file, and leaves its lists as they are written. The result is undefined if the text must
 * be inspected: always where JSON.parse would refuse something or lose it silently, and sometimes for a good text.
 */
export function readShallow(bytes: Buffer, maxDepth: number): { [key: string]: unknown } | undefined {
  const text = withoutMark(bytes)
  const start = behindSpace(text, 0)
  if (text[start] !== 0x7b /* { */ || !isUtf8(text) || isPeculiar(text)) return undefined
  const survey = startSurvey(text, maxDepth)
  if (behindSpace(text, behindValue(survey, start)) !== text.length) return undefined
  return Object.fromEntries(survey.members.map((member) => [keyOf(text, member), valueOf(text, member)]))
}

const MARK = '\ufeff'

function withoutMark(bytes: Buffer): Buffer {
  return bytes.toString('utf8', 0, 3) === MARK ? bytes.subarray(3) : bytes
}

function isPeculiar(text: Buffer): boolean {
  return text.includes(MARK) || text.includes(FORBIDDEN_KEY)
}

function keyOf(text: Buffer, { key, colon }: SurveyedMember): string {
  return String(JSON.parse(text.toString('utf8', key, colon)))
}

function valueOf(text: Buffer, { value, end, elements }: SurveyedMember): unknown {
  if (text[value] === 0x5b /* [ */) return new WrittenList(elements, text.subarray(value + 1, end - 1))
  return JSON.parse(text.toString('utf8', value, end))
}
