import {
  EVENT_ID,
  SCALAR_STYLE,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'

export type NodeEvent = ScalarEvent | SequenceEvent | MappingEvent | AliasEvent

/** The event at which a node begins. The parser produces one for each value, key and element. */
export function nodeAt(events: readonly Event[], at: number): NodeEvent {
  const event = events[at]
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
    throw new Error(`no node begins at event ${at} of the YAML parser`)
  return event
}

/** The offset of the first token of a node, including its tag and anchor; -1 if the node is not written out. */
export function startOf(event: NodeEvent, text: string): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1
  const starts = [contentStart(event, text)]
  if (event.anchorStart >= 0) starts.push(event.anchorStart - 1)
  if (event.tagStart >= 0) starts.push(event.tagStart)
  const written = starts.filter((start) => start >= 0)
  return written.length === 0 ? -1 : Math.min(...written)
}

function contentStart(event: ScalarEvent | SequenceEvent | MappingEvent, text: string): number {
  if (event.type !== EVENT_ID.SCALAR) return event.start
  if (event.style === SCALAR_STYLE.PLAIN) return event.valueStart
  if (event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED)
    return event.valueStart - 1
  return blockHeader(text, event.valueStart)
}

/** The offset of the `|` or `>` in the line above the first line of a block scalar. */
function blockHeader(text: string, contentStart: number): number {
  const lineEnd = contentStart - 1
  const lineStart = text.lastIndexOf('\n', lineEnd - 1) + 1
  const header = /[|>][-+0-9]*[ \t]*(?:[ \t]#[^\n]*)?\r?$/.exec(text.slice(lineStart, lineEnd))
  return header === null ? contentStart : lineStart + header.index
}

/** The index after the node that begins at `index`. */
export function skipNode(events: readonly Event[], index: number): number {
  let at = index
  let depth = 0
  do {
    const type = events[at++]?.type
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++
    else if (type === EVENT_ID.POP) depth--
  } while (depth > 0)
  return at
}
