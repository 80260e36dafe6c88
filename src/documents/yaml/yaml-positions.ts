import { EVENT_ID, getScalarValue, parseEvents, type Event } from 'js-yaml'
import { parserDepth } from './parse-yaml.ts'
import type { Wanted } from '../wanted.ts'
import { nodeAt, skipNode, startOf } from './yaml-events.ts'

interface Walk {
  readonly text: string
  readonly events: readonly Event[]
  at: number
}

/**
 * Finds the offsets of wanted trees, one for each document of a YAML text that was parsed before. A member has the
 * offset of its key, an element the offset of its first token, and an alias its own offset.
 */
export function locateInYaml(text: string, maxDepth: number, documents: ReadonlyMap<number, Wanted>): void {
  const walk: Walk = { text, events: parseEvents(text, { maxDepth: parserDepth(maxDepth) }), at: 0 }
  for (let document = 0; walk.at < walk.events.length; document++) {
    walk.at++
    findInside(walk, documents.get(document))
    walk.at++
  }
}

/** Moves past one node, and searches it for wanted paths. */
function findInside(walk: Walk, wanted: Wanted | undefined): void {
  const type = walk.events[walk.at]?.type
  if (wanted === undefined || wanted.children.size === 0) walk.at = skipNode(walk.events, walk.at)
  else if (type === EVENT_ID.MAPPING) findMembers(walk, wanted)
  else if (type === EVENT_ID.SEQUENCE) findElements(walk, wanted)
  else walk.at++
}

function findMembers(walk: Walk, wanted: Wanted): void {
  walk.at++
  for (let event = walk.events[walk.at]; event?.type !== EVENT_ID.POP; event = walk.events[walk.at]) {
    const child = event?.type === EVENT_ID.SCALAR ? wanted.children.get(getScalarValue(walk.text, event)) : undefined
    if (child !== undefined) markOffset(walk, child)
    walk.at = skipNode(walk.events, walk.at)
    findInside(walk, child)
  }
  walk.at++
}

function findElements(walk: Walk, wanted: Wanted): void {
  walk.at++
  for (let index = 0; walk.events[walk.at]?.type !== EVENT_ID.POP; index++) {
    const child = wanted.children.get(String(index))
    if (child !== undefined) markOffset(walk, child)
    findInside(walk, child)
  }
  walk.at++
}

function markOffset({ text, events, at }: Walk, wanted: Wanted): void {
  const offset = startOf(nodeAt(events, at), text)
  if (offset >= 0) wanted.offset = offset
}
