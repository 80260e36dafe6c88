import {
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type AliasEvent,
  type DocumentEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import { copyAliased, type AliasBudget } from './yaml-aliases.ts'
import type { Finding } from '../finding.ts'
import {
  duplicateKeyMessage,
  FORBIDDEN_KEY,
  FORBIDDEN_KEY_MESSAGE,
  textProblem,
  tooDeepMessage,
} from '../text-checks.ts'
import { startOf, type NodeEvent } from './yaml-events.ts'
import type { ParsedText } from '../json/parse-json.ts'
import { isRewritten } from '../rewritten-numbers.ts'
import { isLong, settleLongNumbers, type WrittenNumber } from '../whole-numbers.ts'
import { numberProblem, plainScalar, taggedScalar, type Scalar } from './yaml-scalars.ts'

/** The anchor of a collection that is still being read: an alias to it would contain itself. */
const OPEN = Symbol('open')

/** What an anchor marks, and where. */
interface Anchored {
  readonly value: unknown
  readonly path: readonly string[]
}

interface Build {
  readonly text: string
  readonly events: readonly Event[]
  readonly maxDepth: number
  readonly aliases: AliasBudget
  readonly findings: Finding[]
  readonly longNumbers: WrittenNumber[]
  readonly rewritten: WrittenNumber[]
  /** Whether any text can hold characters that no database stores. */
  readonly checkTexts: boolean
  /** Of the value that is being read. */
  readonly path: string[]
  document: number
  at: number
  depth: number
  anchors: Map<string, Anchored>
}

/**
 * The values that the events of js-yaml stand for, one for each document. js-yaml can do that too, but it stops at the
 * first mistake, shares what stands behind aliases and turns every key into text.
 */
export function buildYaml(text: string, events: readonly Event[], maxDepth: number, aliases: AliasBudget): ParsedText {
  const checkTexts = text.includes('\\') || text.includes('\ufeff')
  const place = { path: [], document: 0, at: 0, depth: 0, anchors: new Map<string, Anchored>() }
  const build: Build = {
    text,
    events,
    maxDepth,
    aliases,
    findings: [],
    longNumbers: [],
    rewritten: [],
    checkTexts,
    ...place,
  }
  const documents: unknown[] = []
  while (build.at < events.length) {
    build.anchors = new Map()
    checkDirectives(build, events[build.at++] as DocumentEvent)
    documents.push(readNode(build))
    build.document++
    build.at++
  }
  const { findings, longNumbers, rewritten } = build
  const found = [...findings, ...settleLongNumbers(documents, longNumbers)]
  return { documents, findings: found, ...(rewritten.length > 0 && { rewritten }) }
}

function find({ findings }: Build, code: string, message: string, offset: number): void {
  findings.push({ code, message, offset: Math.max(offset, 0) })
}

/** Something about the value that is being read. */
function findValue({ findings, document, path }: Build, code: string, message: string, offset: number): void {
  findings.push({ code, message, offset: Math.max(offset, 0), value: { document, path: [...path] } })
}

function checkDirectives(build: Build, { directives }: DocumentEvent): void {
  if (!directives.some(({ kind }) => kind === 'tag')) return
  const message = 'tags of your own (%TAG) have no meaning here; remove the directive.'
  find(build, 'unsupported-tag', message, build.text.indexOf('%TAG'))
}

function readNode(build: Build): unknown {
  const event = build.events[build.at++] as NodeEvent
  if (event.type === EVENT_ID.SCALAR) return anchored(build, event, readScalar(build, event))
  if (event.type === EVENT_ID.ALIAS) return readAlias(build, event)
  anchored(build, event, OPEN)
  build.depth++
  if (build.depth === build.maxDepth + 1) reportDepth(build, startOf(event, build.text))
  const value = event.type === EVENT_ID.SEQUENCE ? readSequence(build, event) : readMapping(build, event)
  build.depth--
  return anchored(build, event, value)
}

function anchored(
  build: Build,
  { anchorStart, anchorEnd }: ScalarEvent | SequenceEvent | MappingEvent,
  value: unknown,
): unknown {
  if (anchorStart >= 0) build.anchors.set(build.text.slice(anchorStart, anchorEnd), { value, path: [...build.path] })
  return value
}

function readAlias(build: Build, { anchorStart, anchorEnd }: AliasEvent): unknown {
  const name = build.text.slice(anchorStart, anchorEnd)
  const offset = anchorStart - 1
  if (!build.anchors.has(name)) {
    const message = `nothing above is marked &${name}; put quotes around a text that begins with *.`
    findValue(build, 'unknown-alias', message, offset)
    return null
  }
  const { value, path } = build.anchors.get(name) as Anchored
  if (value === OPEN) {
    findValue(
      build,
      'recursive-alias',
      `*${name} stands inside the value that it refers to; write the value out.`,
      offset,
    )
    return null
  }
  const copy = copyAliased(value, build.aliases, build.maxDepth - build.depth)
  if (typeof copy === 'object') {
    repeatLongNumbers(build, path)
    return copy.value
  }
  reportAlias(build, copy, offset)
  return null
}

/** What was copied from elsewhere can belong to a field that keeps other digits than the one it was copied from. */
function repeatLongNumbers(build: Build, from: readonly string[]): void {
  const { longNumbers, document, path } = build
  const isInside = ({ value }: WrittenNumber) =>
    value.document === document && from.every((step, at) => value.path[at] === step)
  for (const number of longNumbers.filter(isInside)) {
    const copied = { document, path: [...path, ...number.value.path.slice(from.length)] }
    longNumbers.push({ ...number, value: copied })
  }
}

function reportDepth(build: Build, offset: number): void {
  find(build, 'nesting-too-deep', tooDeepMessage(build.maxDepth), offset)
}

function reportAlias(build: Build, problem: 'too-many' | 'too-deep', offset: number): void {
  const { findings, aliases } = build
  if (problem === 'too-deep') return reportDepth(build, offset)
  // Once the limit is reached, every further alias is beyond it.
  if (findings.some(({ code }) => code === 'too-many-aliases')) return
  const message = `aliases repeat more than ${aliases.limit} values, which is the limit; write fewer of them.`
  find(build, 'too-many-aliases', message, offset)
}

function readScalar(build: Build, event: ScalarEvent): Scalar {
  const source = getScalarValue(build.text, event)
  if (event.tagStart >= 0) return readTagged(build, event, source)
  if (event.style !== SCALAR_STYLE.PLAIN) return checkedText(build, event, source)
  const value = plainScalar(source)
  if (typeof value === 'string') return checkedText(build, event, value)
  if (typeof value === 'number') checkNumber(build, event, value, source)
  return value
}

function checkNumber(build: Build, event: ScalarEvent, value: number, source: string): void {
  const { text, document, path, longNumbers, rewritten } = build
  const problem = numberProblem(source)
  const offset = Math.max(startOf(event, text), 0)
  if (problem !== null) findValue(build, problem.code, problem.message, offset)
  else if (isLong(source)) longNumbers.push({ literal: source, offset, value: { document, path: [...path] } })
  else if (isRewritten(source, value, path))
    rewritten.push({ literal: source, offset, value: { document, path: [...path] } })
}

function checkedText(build: Build, event: ScalarEvent, text: string): string {
  const problem = build.checkTexts ? textProblem(text) : null
  if (problem !== null) findValue(build, problem.code, `the text ${problem.message}`, startOf(event, build.text))
  return text
}

function readTagged(build: Build, event: ScalarEvent, source: string): Scalar {
  const tag = tagOf(build, event)
  const value = taggedScalar(tag, source)
  if (value === undefined) findValue(build, 'unsupported-tag', tagMessage(tag), event.tagStart)
  if (typeof value === 'string') return checkedText(build, event, value)
  if (typeof value === 'number') checkNumber(build, event, value, source)
  return value ?? null
}

const STANDARD_TAG = /^!<tag:yaml\.org,2002:(\w+)>$/

function tagOf({ text }: Build, { tagStart, tagEnd }: ScalarEvent | SequenceEvent | MappingEvent): string {
  return text.slice(tagStart, tagEnd).replace(STANDARD_TAG, '!!$1')
}

function tagMessage(tag: string): string {
  return `the tag ${tag} does not fit here: models hold texts, numbers, booleans, null, lists and mappings; remove the tag.`
}

function checkCollectionTag(build: Build, event: SequenceEvent | MappingEvent, expected: string): void {
  if (event.tagStart < 0) return
  const tag = tagOf(build, event)
  if (tag !== '!' && tag !== expected) findValue(build, 'unsupported-tag', tagMessage(tag), event.tagStart)
}

function readSequence(build: Build, event: SequenceEvent): unknown[] {
  checkCollectionTag(build, event, '!!seq')
  const values: unknown[] = []
  while (build.events[build.at]?.type !== EVENT_ID.POP) values.push(readMember(build, String(values.length)))
  build.at++
  return values
}

function readMember(build: Build, name: string): unknown {
  build.path.push(name)
  const value = readNode(build)
  build.path.pop()
  return value
}

function readMapping(build: Build, event: MappingEvent): { [key: string]: unknown } {
  checkCollectionTag(build, event, '!!map')
  const members: { [key: string]: unknown } = {}
  while (build.events[build.at]?.type !== EVENT_ID.POP) {
    const keyEvent = build.events[build.at] as NodeEvent
    const key = readNode(build)
    const value = readMember(build, String(key))
    if (isUsableKey(build, keyEvent, key, members)) members[key] = value
  }
  build.at++
  return members
}

function isUsableKey(build: Build, event: NodeEvent, key: unknown, members: object): key is string {
  if (typeof key === 'string' && key !== FORBIDDEN_KEY && !Object.hasOwn(members, key)) return true
  const offset = startOf(event, build.text)
  if (typeof key !== 'string') find(build, 'key-not-text', keyMessage(key), offset)
  else if (key === FORBIDDEN_KEY) find(build, 'forbidden-key', FORBIDDEN_KEY_MESSAGE, offset)
  else find(build, 'duplicate-key', duplicateKeyMessage(key), offset)
  return false
}

function keyMessage(key: unknown): string {
  if (typeof key === 'object' && key !== null) return 'a key must be a text, not a list or mapping.'
  return `a key must be a text, but this one is read as ${key === null ? 'null' : `a ${typeof key}`}; put it in quotes.`
}
