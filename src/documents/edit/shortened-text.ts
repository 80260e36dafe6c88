import { COLLECTION_STYLE, EVENT_ID, getScalarValue, parseEvents, type Event } from 'js-yaml'
import { toPointer } from '../../lib/pointer.ts'
import { lastNotAfter } from '../checks/finding.ts'
import type { Wanted } from '../wanted.ts'
import { parserDepth } from '../yaml/parse-yaml.ts'
import { nodeAt, skipNode, startOf } from '../yaml/yaml-events.ts'
import type { Path } from './value-edit.ts'

// The library that edits YAML needs 100 µs and 20 KB for each record. So it gets a text without the items of lists that
// no edit concerns. Only the neighbours of edited items and the ends of lists stay, because edits need their style.

/** A text without some items of its lists. Documents are parts of paths here, too. */
export interface ShortenedText {
  readonly text: string
  /** The offset in the whole text. */
  offsetOf(shortened: number): number
  /** The index that an item of a list has in the shortened text; -1 if it is left out. */
  indexOf(list: Path, index: number): number
}

interface Walk {
  readonly text: string
  readonly events: readonly Event[]
  readonly cuts: { readonly start: number; readonly end: number }[]
  /** The new indices of the items that stay, by the pointer of their list. */
  readonly kept: Map<string, ReadonlyMap<number, number>>
  at: number
}

/** Leaves out the items that are not wanted. `documents` has the wanted paths of each document. */
export function shorten(text: string, maxDepth: number, documents: ReadonlyMap<number, Wanted>): ShortenedText {
  const events = parseEvents(text, { maxDepth: parserDepth(maxDepth) })
  const walk: Walk = { text, events, cuts: [], kept: new Map(), at: 0 }
  for (let document = 0; walk.at < events.length; document++) {
    walk.at++
    visit(walk, documents.get(document), [document])
    walk.at++
  }
  let [end, cutOff, made] = [0, 0, '']
  const shifts = [{ from: 0, by: 0 }]
  for (const cut of walk.cuts) {
    made += text.slice(end, cut.start)
    end = cut.end
    cutOff += cut.end - cut.start
    shifts.push({ from: made.length + 1, by: cutOff })
  }
  const starts = shifts.map(({ from }) => from)
  return {
    text: made + text.slice(end),
    offsetOf: (shortened) => shortened + (shifts[lastNotAfter(starts, shortened)]?.by ?? 0),
    indexOf(list, index) {
      const kept = walk.kept.get(toPointer(list))
      return kept === undefined ? index : (kept.get(index) ?? -1)
    },
  }
}

function visit(walk: Walk, wanted: Wanted | undefined, path: Path): void {
  const event = nodeAt(walk.events, walk.at)
  if (event.type === EVENT_ID.SEQUENCE) return visitItems(walk, wanted, path, event.style === COLLECTION_STYLE.FLOW)
  walk.at++
  if (event.type !== EVENT_ID.MAPPING) return
  while (walk.events[walk.at]?.type !== EVENT_ID.POP) {
    const key = nodeAt(walk.events, walk.at)
    const name = key.type === EVENT_ID.SCALAR ? getScalarValue(walk.text, key) : ''
    walk.at = skipNode(walk.events, walk.at)
    visit(walk, wanted?.children.get(name), [...path, name])
  }
  walk.at++
}

function visitItems(walk: Walk, wanted: Wanted | undefined, path: Path, isFlow: boolean): void {
  const items: number[] = []
  for (walk.at++; walk.events[walk.at]?.type !== EVENT_ID.POP; walk.at = skipNode(walk.events, walk.at))
    items.push(walk.at)
  const end = walk.at + 1
  const kept = new Map<number, number>()
  let next = 0
  for (const index of keptItems(wanted, items.length)) {
    const cut = index > next ? cutBetween(walk, items[next] ?? 0, items[index] ?? 0, isFlow) : null
    if (cut !== null) walk.cuts.push(cut)
    for (let item = cut === null ? next : index; item <= index; item++) {
      kept.set(item, kept.size)
      walk.at = items[item] ?? end
      visit(walk, wanted?.children.get(String(item)), [...path, item])
    }
    next = index + 1
  }
  if (kept.size < items.length) walk.kept.set(toPointer(path), kept)
  walk.at = end
}

/** The items that stay, in order: wanted ones and their neighbours, and the first and the last ones. */
function keptItems(wanted: Wanted | undefined, length: number): readonly number[] {
  const near = [...(wanted?.children.keys() ?? [])].flatMap((name) => [-1, 0, 1].map((step) => Number(name) + step))
  const kept = new Set([0, 1, length - 2, length - 1, ...near])
  return [...kept].filter((index) => index >= 0 && index < length).sort((one, other) => one - other)
}

/**
 * The text from one item to another. In block style it is whole lines, because the items may have different
 * indentation. Null if the items are written so that nothing can be left out.
 */
function cutBetween({ text, events }: Walk, from: number, to: number, isFlow: boolean) {
  const [start, end] = [from, to].map((at) => startOf(nodeAt(events, at), text))
  if (start === undefined || end === undefined || start < 0 || end < 0) return null
  if (isFlow) return { start, end }
  const lines = [start, end].map((at) => text.lastIndexOf('\n', at - 1) + 1)
  const isDash = [start, end].every((at, index) => /^ *- +$/.test(text.slice(lines[index], at)))
  return isDash ? { start: lines[0] ?? start, end: lines[1] ?? end } : null
}
