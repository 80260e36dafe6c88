import { parseEvents, YAMLException, type Event } from 'js-yaml'
import { buildYaml } from './build-yaml.ts'
import { positionsIn, type Finding } from '../checks/finding.ts'
import type { ParsedText } from '../json/parse-json.ts'
import { tooDeepMessage } from '../checks/text-checks.ts'
import type { AliasBudget } from './yaml-aliases.ts'

/** Parses YAML 1.2 with the core schema, restricted to what JSON can express. */
export function parseYaml(text: string, maxDepth: number, aliases: AliasBudget): ParsedText {
  const events = readEvents(text, maxDepth)
  if (!Array.isArray(events)) return { documents: [], findings: [events] }
  const parsed = buildYaml(text, events, maxDepth, aliases)
  // Values beyond the limits are dropped, so that no later step processes them.
  return parsed.findings.some(isBeyondLimits) ? { documents: [], findings: parsed.findings } : parsed
}

function isBeyondLimits({ code }: Finding): boolean {
  return code === 'nesting-too-deep' || code === 'too-many-aliases'
}

/**
 * Reads the events of js-yaml. Its parser also counts scalars as levels, and brackets that may become a key twice. So
 * the exact limit is checked later.
 */
function readEvents(text: string, maxDepth: number): Event[] | Finding {
  const events = eventsOf(text, maxDepth)
  return events instanceof YAMLException ? explain(events, text, maxDepth) : events
}

function eventsOf(text: string, maxDepth: number): Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth: parserDepth(maxDepth) })
  } catch (error) {
    if (error instanceof YAMLException) return error
    throw error
  }
}

export function parserDepth(maxDepth: number): number {
  return maxDepth + 2
}

function explain({ reason, mark }: YAMLException, text: string, maxDepth: number): Finding {
  const offset = mark?.position ?? 0
  if (reason.startsWith('nesting exceeded'))
    return { code: 'nesting-too-deep', message: tooDeepMessage(maxDepth), offset }
  if (reason.startsWith('null byte')) {
    return { code: 'nul-character', message: 'the file contains the character U+0000; remove it.', offset }
  }
  if (isBelowEmptyList(text, offset)) return { code: 'syntax', message: EMPTY_LIST, offset }
  const unclosed = unclosedAt(reason, text, offset, maxDepth)
  if (unclosed !== null) return unclosed
  const advice = ADVICE.find(([start]) => reason.startsWith(start))?.[1]
  return { code: 'syntax', message: advice ?? `the YAML cannot be read: ${reason}.`, offset }
}

/**
 * The finding about an unclosed quote or bracket, at its opening. The parser notices it only at a line with too little
 * indentation, or at the end of the document.
 */
function unclosedAt(reason: string, text: string, offset: number, maxDepth: number): Finding | null {
  const isOutdented = reason.startsWith('deficient indentation')
  const isCut = isOutdented && text.slice(offset).trim() !== ''
  const before = isOutdented || reason.startsWith('unexpected end of the document') ? text.slice(0, offset) : text
  const end = isOutdented ? eventsOf(before.trimEnd(), maxDepth) : { reason }
  const found = 'reason' in end ? UNCLOSED.find(([what]) => END_WITHIN.exec(end.reason)?.[1] === what) : undefined
  if (found === undefined) return null
  const [what, name, missing] = found
  const opening = openingOf(before, what)
  if (opening < 0) return null
  const { line } = positionsIn(text)(offset)
  const message = isCut
    ? `${name} is not closed before line ${line}, which is indented too little to belong to it: add the missing ${missing}, or indent line ${line} further.`
    : `${name} is never closed; add the missing ${missing}.`
  return { code: 'syntax', message, offset: opening }
}

const END_WITHIN = /^unexpected end of the (?:stream|document) within a (double|single|flow)/

const UNCLOSED = [
  ['double', 'a text in double quotes', '"'],
  ['single', 'a text in single quotes', "'"],
  ['flow', 'a list or mapping in brackets', '] or }'],
] as const

const EMPTY_LIST = 'the list above is closed by its []: remove the [], so that this entry belongs to it.'
/** The maximum number of characters that are searched backwards. Only comments can be further back. */
const LOOKED_BACK = 2_000

/** Whether a list entry is below `key: []`, where people paste it. */
function isBelowEmptyList(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - LOOKED_BACK), offset)
  return (
    /^-\s/.test(text.slice(offset, offset + 2)) &&
    /\[ *\][ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*$/.test(before)
  )
}

/** Advice for the reasons of js-yaml, by their beginning. Other reasons are shown unchanged. */
const ADVICE: readonly (readonly [string, string])[] = [
  ['tab characters must not be used', 'there is a tab in the indentation; YAML is indented with spaces only.'],
  [
    'bad indentation of a mapping entry',
    'this does not fit the lines above: check the indentation, and quote a text that contains ": ".',
  ],
  [
    'bad indentation of a sequence entry',
    'this list entry has another indentation than those above; align the dashes.',
  ],
  ["expected ':' after a mapping key", 'a colon is missing after this key, or the indentation is wrong.'],
  ['can not read a block mapping entry', 'a key is written on one line, followed by a colon; check the line above.'],
  ['a whitespace character is expected after', 'a space is missing after the colon.'],
  ['missed comma between flow collection', 'a comma is missing between two entries.'],
  ['expected the node content', 'a value is missing before this comma; remove the comma or add the value.'],
  [
    'expected valid JSON character',
    'the quotes contain a control character; remove it, or write it as an escape in double quotes.',
  ],
  ['deficient indentation', 'this line must be indented more than its key, or a quote or bracket above is not closed.'],
  ['unknown escape sequence', 'this escape does not exist; write \\\\ for a backslash, or use single quotes.'],
  [
    'end of the stream or a document separator',
    'this line does not belong to the lines above: check the indentation and the line before.',
  ],
  [
    'the stream contains non-printable',
    'there is a control character here; remove it, or write it as an escape in double quotes.',
  ],
]

/** Finds the unclosed quote or bracket of a text that the parser could not read to its end. */
function openingOf(text: string, what: keyof typeof FIND): number {
  return FIND[what](text)
}

const FIND = { double: openDoubleQuote, single: openSingleQuote, flow: openBracket } as const

/** Finds the last unescaped quote, because everything after an open quote belongs to it. */
function openDoubleQuote(text: string): number {
  let at = text.lastIndexOf('"')
  while (at > 0 && isEscaped(text, at)) at = text.lastIndexOf('"', at - 1)
  return at
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Finds the open quote. After it, quotes come in pairs, each of which is an escaped quote. */
function openSingleQuote(text: string): number {
  let opening = -1
  for (const { 0: quotes, index } of text.matchAll(/'+/g)) if (quotes.length % 2 === 1) opening = index
  return opening
}

/** Finds the open bracket. Brackets in quotes and comments count too, because most of them are balanced. */
function openBracket(text: string): number {
  let closed = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? ''
    if (']}'.includes(character)) closed++
    else if ('[{'.includes(character) && closed-- === 0) return at
  }
  return -1
}
