import {
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import { settled, type ParsedText } from '../json/parse-json.ts'
import { TooMuchFound } from '../found-in-text.ts'
import { isRewritten } from '../numbers/rewritten-numbers.ts'
import { duplicateKeyMessage, FORBIDDEN_KEY, FORBIDDEN_KEY_MESSAGE, textProblem } from '../checks/text-checks.ts'
import { isLong } from '../numbers/written-numbers.ts'
import type { AliasBudget } from './yaml-aliases.ts'
import { anchored, OPEN, readAlias } from './yaml-anchors.ts'
import { find, findValue, reportDepth, startBuild, type YamlBuild } from './yaml-build.ts'
import { nodeAt, startOf, type NodeEvent } from './yaml-events.ts'
import { numberProblem, plainScalar, taggedScalar, type Scalar } from './yaml-scalars.ts'

/**
 * Builds the values from the events of js-yaml, one for each document. js-yaml can build values itself, but it stops at
 * the first mistake, shares the values of aliases, and converts every key to text.
 */
export function buildYaml(text: string, events: readonly Event[], maxDepth: number, aliases: AliasBudget): ParsedText {
  const build = startBuild(text, events, maxDepth, aliases)
  try {
    return settled(readDocuments(build), build.found)
  } catch (error) {
    if (!(error instanceof TooMuchFound)) throw error
    return { documents: [], findings: [...build.found.findings, error.finding] }
  }
}

function readDocuments(build: YamlBuild): unknown[] {
  const documents: unknown[] = []
  while (build.at < build.events.length) {
    build.anchors = new Map()
    checkDirectives(build, build.events[build.at++])
    documents.push(readNode(build))
    build.document++
    build.at++
  }
  return documents
}

function checkDirectives(build: YamlBuild, event: Event | undefined): void {
  if (event?.type !== EVENT_ID.DOCUMENT || !event.directives.some(({ kind }) => kind === 'tag')) return
  const message = 'tags of your own (%TAG) have no meaning here; remove the directive.'
  find(build, 'unsupported-tag', message, build.text.indexOf('%TAG'))
}

function readNode(build: YamlBuild): unknown {
  const event = nodeAt(build.events, build.at++)
  const numbers = build.found.longNumbers.length
  if (event.type === EVENT_ID.SCALAR) return anchored(build, event, readScalar(build, event), numbers)
  if (event.type === EVENT_ID.ALIAS) return readAlias(build, event)
  anchored(build, event, OPEN, numbers)
  build.depth++
  if (build.depth === build.maxDepth + 1) reportDepth(build, startOf(event, build.text))
  const value = event.type === EVENT_ID.SEQUENCE ? readSequence(build, event) : readMapping(build, event)
  build.depth--
  return anchored(build, event, value, numbers)
}

function readScalar(build: YamlBuild, event: ScalarEvent): Scalar {
  const source = getScalarValue(build.text, event)
  if (event.tagStart >= 0) return readTagged(build, event, source)
  if (event.style !== SCALAR_STYLE.PLAIN) return checkedText(build, event, source)
  const value = plainScalar(source)
  if (typeof value === 'string') return checkedText(build, event, value)
  if (typeof value === 'number') checkNumber(build, event, value, source)
  return value
}

function checkNumber(build: YamlBuild, event: ScalarEvent, value: number, source: string): void {
  const { text, document, path, found } = build
  const problem = numberProblem(source)
  const offset = Math.max(startOf(event, text), 0)
  if (problem !== null) findValue(build, problem.code, problem.message, offset)
  else if (isLong(source)) found.addLong({ literal: source, offset, value: { document, path: [...path] } })
  else if (isRewritten(source, value, path))
    found.addRewritten({ literal: source, offset, value: { document, path: [...path] } })
}

function checkedText(build: YamlBuild, event: ScalarEvent, text: string): string {
  const problem = build.checkTexts ? textProblem(text) : null
  if (problem !== null) findValue(build, problem.code, `the text ${problem.message}`, startOf(event, build.text))
  return text
}

function readTagged(build: YamlBuild, event: ScalarEvent, source: string): Scalar {
  const tag = tagOf(build, event)
  const value = taggedScalar(tag, source)
  if (value === undefined) findValue(build, 'unsupported-tag', tagMessage(tag), event.tagStart)
  if (typeof value === 'string') return checkedText(build, event, value)
  if (typeof value === 'number') checkNumber(build, event, value, source)
  return value ?? null
}

const STANDARD_TAG = /^!<tag:yaml\.org,2002:(\w+)>$/

function tagOf({ text }: YamlBuild, { tagStart, tagEnd }: ScalarEvent | SequenceEvent | MappingEvent): string {
  return text.slice(tagStart, tagEnd).replace(STANDARD_TAG, '!!$1')
}

function tagMessage(tag: string): string {
  return `the tag ${tag} does not fit here: models hold texts, numbers, booleans, null, lists and mappings; remove the tag.`
}

function checkCollectionTag(build: YamlBuild, event: SequenceEvent | MappingEvent, expected: string): void {
  if (event.tagStart < 0) return
  const tag = tagOf(build, event)
  if (tag !== '!' && tag !== expected) findValue(build, 'unsupported-tag', tagMessage(tag), event.tagStart)
}

function readSequence(build: YamlBuild, event: SequenceEvent): unknown[] {
  checkCollectionTag(build, event, '!!seq')
  const values: unknown[] = []
  while (build.events[build.at]?.type !== EVENT_ID.POP) values.push(readMember(build, String(values.length)))
  build.at++
  return values
}

function readMember(build: YamlBuild, name: string): unknown {
  build.path.push(name)
  const value = readNode(build)
  build.path.pop()
  return value
}

function readMapping(build: YamlBuild, event: MappingEvent): { [key: string]: unknown } {
  checkCollectionTag(build, event, '!!map')
  const members: { [key: string]: unknown } = {}
  while (build.events[build.at]?.type !== EVENT_ID.POP) {
    const keyEvent = nodeAt(build.events, build.at)
    const key = readNode(build)
    const value = readMember(build, String(key))
    if (isUsableKey(build, keyEvent, key, members)) members[key] = value
  }
  build.at++
  return members
}

function isUsableKey(build: YamlBuild, event: NodeEvent, key: unknown, members: object): key is string {
  if (isMergeKey(event, key)) {
    findValue(build, 'merge-key', MERGE_KEY_MESSAGE, startOf(event, build.text))
    return false
  }
  if (typeof key === 'string' && key !== FORBIDDEN_KEY && !Object.hasOwn(members, key)) return true
  const offset = startOf(event, build.text)
  if (typeof key !== 'string') find(build, 'key-not-text', keyMessage(key), offset)
  else if (key === FORBIDDEN_KEY) find(build, 'forbidden-key', FORBIDDEN_KEY_MESSAGE, offset)
  else find(build, 'duplicate-key', duplicateKeyMessage(key), offset)
  return false
}

/** A merge key of YAML 1.1, which YAML 1.2 does not have. In quotes it is an ordinary key. */
function isMergeKey(event: NodeEvent, key: unknown): boolean {
  return key === '<<' && event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0
}

const MERGE_KEY_MESSAGE =
  'merge keys (<<) are no part of YAML 1.2 and are not supported; write the keys out here. A whole value can be repeated: mark it with &name, and write *name for it elsewhere.'

function keyMessage(key: unknown): string {
  if (typeof key === 'object' && key !== null) return 'a key must be a text, not a list or mapping.'
  return `a key must be a text, but this one is read as ${key === null ? 'null' : `a ${typeof key}`}; put it in quotes.`
}
