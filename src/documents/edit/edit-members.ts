import { isAlias, isCollection, isScalar, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Json } from '../../lib/json.ts'
import { hasComment } from './comments.ts'
import { CannotEdit, type TextEdit } from './text-edit.ts'
import { afterColon, blockItem, blockMember, blockScalar, flowMember, flowScalar, flowValue } from './write-value.ts'
import { isEmpty, isScalarValue, type Scalars, type Style } from './write-value.ts'
import { colonEnd, columnOf, endOf, endOfPair, isUnwritten, lineEnd, lineStart, pairOf } from './yaml-tree.ts'
import type { ParsedPair, YamlTree } from './yaml-tree.ts'

type Text = Pick<YamlTree, 'text' | 'style'>

/** A member of a list or mapping: from its dash, key or value to the end of its value. */
interface Part {
  readonly start: number
  readonly end: number
}

/** The edits that replace the value of a member. */
export function replaceValue(
  tree: Text,
  map: YAMLMap.Parsed,
  pair: ParsedPair,
  value: Json,
  depth: number,
): TextEdit[] {
  const { text, style } = tree
  const [after, node] = [colonEnd(pair), pair.value]
  const indent = ' '.repeat(columnOf(text, pair.key.range[0]))
  const edit = (start: number, end: number, made: string): TextEdit => ({ start, end, text: made, depth })
  const isFlow = map.flow === true
  if (node === null || isUnwritten(node))
    return [edit(after, after, isFlow ? ` ${flowValue(value, style)}` : afterColon(value, style, indent))]
  const end = endOf(node, text)
  const isBlock = isCollection(node) && node.flow !== true
  const isKept = isScalarValue(value) || isEmpty(value) || (isCollection(node) && node.items.length > 0)
  if (isFlow || (isKept && !isBlock)) {
    const made =
      isScalarValue(value) && !isFlow
        ? scalarInstead(tree, node, value, indent)
        : flowReplacement(tree, node, value, isFlow ? null : indent + style.step)
    return [edit(node.range[0], end, made)]
  }
  // The comment after the key or the value stays on its line.
  const made = afterColon(value, style, indent)
  const below = lineEnd(text, isBlock ? after : end)
  if (!isBlock) return [edit(after, end, ''), edit(below, below, made)]
  if (made.startsWith(style.eol)) return [edit(below, lineEnd(text, end), made)]
  return [edit(after, after, made), edit(below, lineEnd(text, end), '')]
}

/**
 * Replaces a scalar by another one in block style. A comment after a text of several lines would become a part of the
 * text.
 */
function scalarInstead({ text, style }: Text, node: ParsedNode, value: Scalars, indent: string): string {
  const end = endOf(node, text)
  const isLast = text.slice(end, lineEnd(text, end)).trim() === ''
  return isLast ? blockScalar(value, style, indent, typeOf(node)) : flowScalar(value, style, typeOf(node))
}

function typeOf(node: ParsedNode) {
  return isScalar(node) ? (node.type ?? undefined) : undefined
}

/** `inner` is the indentation for lines in brackets, which must be deeper than a key or dash in block style. */
function flowReplacement(tree: Text, node: ParsedNode, value: Json, inner: string | null): string {
  if (isScalarValue(value)) return flowScalar(value, tree.style, typeOf(node))
  const isOverLines = tree.text.slice(node.range[0], node.range[1]).includes('\n')
  return flowValue(value, tree.style, isOverLines && !isAlias(node) ? (inner ?? indentAt(tree, node.range[0])) : null)
}

/** The blanks at the beginning of the line of an offset. */
function indentAt({ text }: Text, at: number): string {
  return /[ \t]*/y.exec(text.slice(lineStart(text, at), at))?.[0] ?? ''
}

/** The edit that adds a member to a mapping. The member comes after the last member of `after` that stays. */
export function addMember(
  tree: Text,
  map: YAMLMap.Parsed,
  [name, value]: readonly [string, Json],
  { after, removed }: { readonly after: readonly string[]; readonly removed: ReadonlySet<unknown> },
  depth: number,
): TextEdit {
  const { text, style } = tree
  const kept = map.items.filter(({ key }) => !(isScalar(key) && removed.has(key.value)))
  const before = after.map((one) => pairOf(map, one)).findLast((pair) => pair && kept.includes(pair)) ?? kept.at(-1)
  if (before === undefined) {
    const member = flowMember(name, value, style)
    return { start: map.range[0] + 1, end: map.range[1] - 1, text: style.padding + member + style.padding, depth }
  }
  const own = { ...style, keyType: (isScalar(before.key) && before.key.type) || style.keyType }
  const part = { start: before.key.range[0], end: endOfPair(before, text) }
  if (map.flow === true) {
    const lines = isOnOwnLine(tree, part) ? indentAt(tree, part.start) : null
    return insertInFlow(tree, part, { made: flowMember(name, value, own, lines), lines, depth })
  }
  const column = columnOf(text, part.start)
  const at = endOfLines(text, part.end, column)
  const indent = ' '.repeat(column)
  return { start: at, end: at, text: style.eol + indent + blockMember(name, value, own, indent), depth }
}

export function removeMembers(tree: Text, map: YAMLMap.Parsed, names: ReadonlySet<unknown>, depth: number): TextEdit[] {
  const parts = map.items.map((pair) => ({ start: pair.key.range[0], end: endOfPair(pair, tree.text) }))
  const removed = map.items.flatMap(({ key }, index) => (isScalar(key) && names.has(key.value) ? [index] : []))
  return cutParts(tree, parts, new Set(removed), map.flow === true, depth)
}

/** Removes some members of a list or mapping, but not all of them. */
function cutParts(
  tree: Text,
  parts: readonly Part[],
  removed: ReadonlySet<number>,
  isFlow: boolean,
  depth: number,
): TextEdit[] {
  const starts = [...removed].filter((index) => !removed.has(index - 1))
  return starts.flatMap((first): TextEdit[] => {
    let last = first
    while (removed.has(last + 1)) last++
    if (isFlow) return [cutFromFlow(tree, parts, { first, last, depth })]
    const run = parts.slice(first, last + 1)
    if (run.every((part) => isOnOwnLine(tree, part))) return run.map((part) => cutLines(tree, part, depth))
    // The first member of an item is behind its dash, and the next one takes its place, unless there are comments.
    const [start = 0, end = 0, next = end] = [run[0]?.start, run.at(-1)?.end, parts[last + 1]?.start]
    return [{ start, end: tree.text.slice(end, next).includes('#') ? end : next, text: '', depth }]
  })
}

interface ListChanges {
  /** The values to insert before the item of each index. */
  readonly inserted: readonly (readonly [index: number, values: readonly Json[]])[]
  readonly removed: ReadonlySet<number>
}

/** The edits of a list that keeps some of its items. */
export function editItems(
  tree: Text,
  list: YAMLSeq.Parsed,
  { inserted, removed }: ListChanges,
  depth: number,
): TextEdit[] {
  const parts = list.items.map((item, index) => ({ start: startOfItem(list, index), end: endOf(item, tree.text) }))
  const cuts = cutParts(tree, parts, removed, list.flow === true, depth)
  const added = inserted.flatMap(([index, values]) => {
    let before = index - 1
    while (removed.has(before)) before--
    let next = index
    while (removed.has(next)) next++
    const isFirst = before < 0
    const [node, part] = isFirst ? [list.items[next], parts[next]] : [list.items[before], parts[before]]
    if (node === undefined || part === undefined) throw new CannotEdit('it has no place for an item', list.range[0])
    const isSpaced = !isFirst && before > 0 && isBelowBlank(tree.text, part.start)
    const place = { node, part, isFirst, isSpaced, isFlow: list.flow === true }
    return values.map((value) => insertItem(tree, place, value, depth))
  })
  return [...cuts, ...added]
}

interface ItemPlace {
  /** The item beside the new one, whose style the new one gets. */
  readonly node: ParsedNode
  readonly part: Part
  /** Whether the new item comes before that item. */
  readonly isFirst: boolean
  readonly isSpaced: boolean
  readonly isFlow: boolean
}

function insertItem(tree: Text, { node, part, isFirst, isSpaced, isFlow }: ItemPlace, value: Json, depth: number) {
  const { text } = tree
  const style = styleLike(node, tree.style)
  if (isFlow) {
    const indent = indentAt(tree, part.start)
    const lines = isOnOwnLine(tree, part) ? indent : null
    const isOverLines = text.slice(part.start, part.end).includes('\n')
    const made = flowValue(value, style, isOverLines ? indent : null)
    if (!isFirst) return insertInFlow({ text, style }, part, { made, lines, depth })
    const between = lines === null ? style.gap : style.eol + lines
    return { start: part.start, end: part.start, text: `${made},${between}`, depth }
  }
  const indent = ' '.repeat(columnOf(text, part.start))
  if (!isOnOwnLine(tree, part)) throw new CannotEdit('its list begins in the middle of a line', part.start)
  const isBrief = isCollection(node) ? node.flow === true : undefined
  const line = `${indent}- ${blockItem(value, style, indent, isBrief)}`
  const blank = isSpaced ? style.eol : ''
  if (isFirst) {
    const at = startOfLines(text, part.start)
    return { start: at, end: at, text: line + style.eol + blank, depth }
  }
  const at = endOfLines(text, part.end, columnOf(text, part.start))
  return { start: at, end: at, text: style.eol + blank + line, depth }
}

/** The style of an item, as far as it differs from the style of the file. */
function styleLike(node: ParsedNode, style: Style): Style {
  const first = isCollection(node) ? node.items[0] : undefined
  const type = first !== undefined && 'key' in first && isScalar(first.key) ? first.key.type : undefined
  return { ...style, keyType: type ?? style.keyType }
}

function insertInFlow(
  { text, style }: Text,
  { end }: Part,
  { made, lines, depth }: { readonly made: string; readonly lines: string | null; readonly depth: number },
): TextEdit {
  // Otherwise the comment would stand behind the new member.
  const rest = text.slice(end, lineEnd(text, end)).replace(',', '').trim()
  if (rest.startsWith('#')) throw new CannotEdit('a comment follows on this line', end)
  return { start: end, end, text: `,${lines === null ? style.gap : style.eol + lines}${made}`, depth }
}

/** Removes some neighbouring members in brackets, but not all of them, with one of the commas around them. */
function cutFromFlow(
  { text }: Text,
  parts: readonly Part[],
  { first, last, depth }: { readonly first: number; readonly last: number; readonly depth: number },
): TextEdit {
  const [from, next] = [parts[first], parts[last + 1]]
  const [start = 0, end = 0] =
    from !== undefined && next !== undefined ? [from.start, next.start] : [parts[first - 1]?.end, parts[last]?.end]
  if (hasComment(`[${text.slice(start, end)}`)) throw new CannotEdit('there are comments beside it', start)
  return { start, end, text: '', depth }
}

/** Removes the lines of a member in block style, with its comments, and a blank line between two blank ones. */
function cutLines(tree: Text, part: Part, depth: number): TextEdit {
  const { text } = tree
  if (!isOnOwnLine(tree, part)) throw new CannotEdit('it shares its line with others', part.start)
  const end = endOfLines(text, part.end, columnOf(text, part.start))
  let start = startOfLines(text, part.start)
  const isLast = end >= text.length
  const next = isLast ? end : end + (text[end] === '\r' ? 2 : 1)
  if (isBelowBlank(text, part.start) && (isLast || lineAt(text, next).trim() === '')) start = lineStart(text, start - 1)
  // A file without a line break at its end keeps it so.
  if (isLast) start = Math.max(0, lineEnd(text, lineStart(text, start - 1)))
  return { start, end: isLast ? end : next, text: '', depth }
}

function isOnOwnLine({ text }: Text, { start }: Part): boolean {
  return text.slice(lineStart(text, start), start).trim() === ''
}

/** The start of the lines of a member, with the comments directly above it. */
function startOfLines(text: string, start: number): number {
  const column = columnOf(text, start)
  let at = lineStart(text, start)
  while (at > 0) {
    const above = lineStart(text, at - 1)
    const line = text.slice(above, at)
    if (line.trimStart()[0] !== '#' || line.length - line.trimStart().length !== column) break
    at = above
  }
  return at
}

/** The end of the last line of a member, with the comments below that are indented more than the member. */
function endOfLines(text: string, end: number, column: number): number {
  let at = lineEnd(text, end)
  for (let next = text.indexOf('\n', at) + 1; next > 0; next = text.indexOf('\n', next) + 1) {
    const line = lineAt(text, next)
    if (line.trimStart()[0] !== '#' || line.length - line.trimStart().length <= column) break
    at = lineEnd(text, next)
  }
  return at
}

function lineAt(text: string, start: number): string {
  return text.slice(start, lineEnd(text, start))
}

/** Whether there is a blank line above a member and its comments. */
function isBelowBlank(text: string, start: number): boolean {
  const at = startOfLines(text, start)
  return at > 0 && text.slice(lineStart(text, at - 1), at).trim() === ''
}

function startOfItem(list: YAMLSeq.Parsed, index: number): number {
  const tokens = list.srcToken?.items[index]?.start ?? []
  const mark = tokens.find(({ type }) => type === 'seq-item-ind' || type === 'anchor' || type === 'tag')
  return mark?.offset ?? list.items[index]?.range[0] ?? list.range[0]
}

/** The edit that replaces an item. */
export function replaceItem(tree: Text, list: YAMLSeq.Parsed, index: number, value: Json, depth: number): TextEdit {
  const node = list.items[index]
  if (node === undefined) throw new CannotEdit('there is no such item', list.range[0])
  const { text, style } = tree
  const indent = ' '.repeat(columnOf(text, startOfItem(list, index)))
  const edit = { start: node.range[0], end: endOf(node, text), depth }
  if (list.flow === true || (isCollection(node) && node.flow === true))
    return { ...edit, text: flowReplacement(tree, node, value, list.flow === true ? null : `${indent}  `) }
  return {
    ...edit,
    text: isScalarValue(value) ? scalarInstead(tree, node, value, indent) : blockItem(value, style, indent),
  }
}
