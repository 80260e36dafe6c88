import { parseEvents, YAMLException, type Event } from 'js-yaml'
import { buildYaml } from './build-yaml.ts'
import type { Finding } from '../checks/finding.ts'
import type { ParsedText } from '../json/parse-json.ts'
import { tooDeepMessage } from '../checks/text-checks.ts'
import type { AliasBudget } from './yaml-aliases.ts'

/** Parses YAML 1.2 with the core schema, restricted to what JSON can express. */
export function parseYaml(text: string, maxDepth: number, aliases: AliasBudget): ParsedText {
  const events = readEvents(text, maxDepth)
  if (!Array.isArray(events)) return { documents: [], findings: [events] }
  const parsed = buildYaml(text, events, maxDepth, aliases)
  // Values beyond the limits are dropped, so that nothing processes them further.
  return parsed.findings.some(isBeyondLimits) ? { documents: [], findings: parsed.findings } : parsed
}

function isBeyondLimits({ code }: Finding): boolean {
  return code === 'nesting-too-deep' || code === 'too-many-aliases'
}

/**
 * Reads the events of js-yaml. Its parser counts scalars as levels too, and counts brackets that may become a key
 * twice, so the exact limit is checked later.
 */
function readEvents(text: string, maxDepth: number): Event[] | Finding {
  try {
    return parseEvents(text, { maxDepth: parserDepth(maxDepth) })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return explain(error, maxDepth)
  }
}

export function parserDepth(maxDepth: number): number {
  return maxDepth + 2
}

function explain({ reason, mark }: YAMLException, maxDepth: number): Finding {
  const offset = mark?.position ?? 0
  if (reason.startsWith('nesting exceeded'))
    return { code: 'nesting-too-deep', message: tooDeepMessage(maxDepth), offset }
  if (reason.startsWith('null byte')) {
    return { code: 'nul-character', message: 'the file contains the character U+0000; remove it.', offset }
  }
  const advice = ADVICE.find(([start]) => reason.startsWith(start))?.[1]
  return { code: 'syntax', message: advice ?? `the YAML cannot be read: ${reason}.`, offset }
}

/** Advice by the beginning of js-yaml's reason. Reasons without an entry are shown as they are. */
const ADVICE: readonly (readonly [string, string])[] = [
  ['tab characters must not be used', 'there is a tab in the indentation; YAML is indented with spaces only.'],
  [
    'bad indentation of a mapping entry',
    'this does not fit the lines above: check the indentation, and quote a text that contains ": ".',
  ],
  [
    'bad indentation of a sequence entry',
    'this list entry is indented otherwise than the ones above; align the dashes.',
  ],
  ["expected ':' after a mapping key", 'a colon is missing after this key, or the indentation is wrong.'],
  ['can not read a block mapping entry', 'a key is written on one line, followed by a colon; check the line above.'],
  ['a whitespace character is expected after', 'a space is missing after the colon.'],
  ['unexpected end of the stream within a double', 'a text in double quotes is never closed; add the missing ".'],
  ['unexpected end of the stream within a single', "a text in single quotes is never closed; add the missing '."],
  ['unexpected end of the document within a', 'a text in quotes is never closed; add the missing quote.'],
  [
    'unexpected end of the stream within a flow',
    'a list or mapping in brackets is never closed; add the missing ] or }.',
  ],
  ['missed comma between flow collection', 'a comma is missing between two entries.'],
  ['expected the node content', 'a value is missing before this comma; remove the comma or add the value.'],
  [
    'expected valid JSON character',
    'a control character stands inside the quotes; remove it, or write it as an escape in double quotes.',
  ],
  [
    'deficient indentation',
    'what goes on here must be indented further than its key, or a quote or bracket above is never closed.',
  ],
  ['unknown escape sequence', 'this escape does not exist; write \\\\ for a backslash, or use single quotes.'],
  [
    'end of the stream or a document separator',
    'this line does not belong to what stands above: check the indentation and the line before.',
  ],
  [
    'the stream contains non-printable',
    'a control character stands here; remove it, or write it as an escape in double quotes.',
  ],
]
