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

/** A file and its content. `path` is shown to users: relative to where the command started, separated by `/`. */
export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface ReadFile {
  readonly source: SourceFile
  /** The file's values: none if unreadable, several for YAML documents. Lists of records in JSON may stay text. */
  readonly documents: readonly unknown[]
  readonly diagnostics: readonly Diagnostic[]
  /** The values that differ from the written ones. */
  readonly damaged: readonly ValuePath[]
  readonly rewritten: readonly RewrittenMetadata[]
  /** False if no text value contains `${`. */
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
  // An outline has no escapes, so no escape can be a part of `${`.
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

/** Tells whether a text may contain `${`. Quoted texts in JSON and YAML can spell it with escapes in many ways. */
function mayHoldReferences(source: SourceFile, text: string): boolean {
  if (text.includes('${')) return true
  return isJson(source) ? text.includes('\\u') && /\\u00(?:24|7[bB])/.test(text) : text.includes('\\')
}

/**
 * Reads the object in a file, and leaves its lists as text. Returns undefined if the text must be inspected. That is
 * always the case if JSON.parse would reject it or lose information, and sometimes for a correct text.
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
