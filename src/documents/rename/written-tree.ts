import {
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  COLLECTION_STYLE,
  type Event,
  type ScalarEvent,
} from 'js-yaml'
import { parserDepth } from '../yaml/parse-yaml.ts'
import { nodeAt, type NodeEvent } from '../yaml/yaml-events.ts'
import { scalarText } from '../yaml/yaml-scalars.ts'

// The positions of the nodes of a text, so that a node can be replaced without reformatting the rest. JSON is read as
// YAML, because YAML includes it.

interface Place {
  readonly start: number
  readonly end: number
}

interface WrittenScalar extends Place {
  readonly kind: 'scalar'
  readonly text: string
  readonly style: ScalarEvent['style']
}

export interface WrittenMapping extends Place {
  readonly kind: 'mapping'
  readonly isFlow: boolean
  readonly members: readonly { readonly key: WrittenNode; readonly value: WrittenNode }[]
}

interface WrittenSequence extends Place {
  readonly kind: 'sequence'
  readonly isFlow: boolean
  readonly items: readonly WrittenNode[]
}

/** An alias of a value. */
interface WrittenAlias extends Place {
  readonly kind: 'alias'
}

export type WrittenNode = WrittenScalar | WrittenMapping | WrittenSequence | WrittenAlias

interface Walk {
  readonly text: string
  readonly events: readonly Event[]
  at: number
  /** The end of the previous node. A value that is not written out gets this position. */
  end: number
}

/** The root of each document of a text that was parsed before. */
export function writtenTrees(text: string, maxDepth: number): WrittenNode[] {
  const walk: Walk = { text, events: parseEvents(text, { maxDepth: parserDepth(maxDepth) }), at: 0, end: 0 }
  const roots: WrittenNode[] = []
  while (walk.at < walk.events.length) {
    walk.at++
    roots.push(readNode(walk))
    walk.at++
  }
  return roots
}

/** The node at a path; null if the path leads through an alias or a merge key. */
export function writtenAt(root: WrittenNode, path: readonly (string | number)[]): WrittenNode | null {
  let node: WrittenNode | undefined = root
  for (const part of path) {
    if (node?.kind === 'sequence') node = node.items[Number(part)]
    else if (node?.kind === 'mapping') node = memberOf(node, String(part))
    else return null
  }
  return node ?? null
}

export function memberOf({ members }: WrittenMapping, name: string): WrittenNode | undefined {
  return members.find(({ key }) => key.kind === 'scalar' && key.text === name)?.value
}

function readNode(walk: Walk): WrittenNode {
  const event = nodeAt(walk.events, walk.at)
  walk.at++
  const node = readFrom(event, walk)
  walk.end = node.end
  return node
}

function readFrom(event: NodeEvent, walk: Walk): WrittenNode {
  if (event.type === EVENT_ID.ALIAS) return { kind: 'alias', start: event.anchorStart - 1, end: event.anchorEnd }
  if (event.type === EVENT_ID.SCALAR) return readScalar(event, walk)
  const isFlow = event.style === COLLECTION_STYLE.FLOW
  walk.end = event.start + (isFlow ? 1 : 0)
  if (event.type === EVENT_ID.SEQUENCE) {
    const items = readUntilPop(walk, () => readNode(walk))
    return { kind: 'sequence', isFlow, items, start: event.start, end: endOf(walk, isFlow) }
  }
  const members = readUntilPop(walk, () => ({ key: readNode(walk), value: readNode(walk) }))
  return { kind: 'mapping', isFlow, members, start: event.start, end: endOf(walk, isFlow) }
}

function readUntilPop<Part>(walk: Walk, read: () => Part): Part[] {
  const parts: Part[] = []
  while (walk.events[walk.at]?.type !== EVENT_ID.POP) parts.push(read())
  walk.at++
  return parts
}

/**
 * The end of a node. In flow style, it is after the closing bracket; only spaces, a comma and comments can be before
 * it.
 */
function endOf({ text, end }: Walk, isFlow: boolean): number {
  if (!isFlow) return end
  const [between = ''] = /^(?:[\s,]|#[^\n]*)*/.exec(text.slice(end)) ?? []
  return end + between.length + 1
}

function readScalar(event: ScalarEvent, { text, end }: Walk): WrittenScalar {
  const { style } = event
  if (event.valueStart < 0) return { kind: 'scalar', text: '', style, start: end, end }
  const quote = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0
  const place = { start: event.valueStart - quote, end: event.valueEnd + quote }
  return { kind: 'scalar', text: getScalarValue(text, event), style, ...place }
}

/** The replacement of a part of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function edited(text: string, edits: readonly Edit[]): string {
  let made = ''
  let at = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    made += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return made + text.slice(at)
}

/** The edit that gives a scalar another text. Quotes are kept. Null if the scalar spans several lines. */
export function rewritten(scalar: WrittenScalar, text: string): Edit | null {
  const { start, end, style } = scalar
  if (style === SCALAR_STYLE.DOUBLE_QUOTED) return { start, end, text: JSON.stringify(text) }
  if (style === SCALAR_STYLE.SINGLE_QUOTED && !text.includes('\n'))
    return { start, end, text: `'${text.replaceAll("'", "''")}'` }
  return style === SCALAR_STYLE.PLAIN ? { start, end, text: scalarText(text) } : null
}
