import { scalarText } from '../yaml/yaml-scalars.ts'
import { type Edit, memberOf, type WrittenMapping, type WrittenNode } from './written-tree.ts'
import type { Renaming } from './new-key.ts'

/** The entry of `moved` that keeps the links and data of a renamed record, as readable YAML. */
export function movedEntry({ type, from, to }: Renaming): string {
  return `{ type: ${type}, from: ${scalarText(from)}, to: ${scalarText(to)} }`
}

/** Adds an entry to the settings in flow or block style. `root` is undefined if there is no document. */
export function addMovedEntry(text: string, root: WrittenNode | undefined, renaming: Renaming): Edit {
  const entry = movedEntry(renaming)
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  if (root?.kind !== 'mapping' || root.members.length === 0)
    return atEnd(text, `moved:${line}  - ${entry}${line}`, line)
  const list = memberOf(root, 'moved')
  if (list === undefined) return newKey(text, root, entry, line)
  if (list.kind === 'sequence' && list.items.length > 0) return nextItem(text, list, entry, line)
  // The list is empty.
  const indented = root.isFlow ? `[${entry}]` : `${line}${indentOf(text, root.start)}  - ${entry}`
  const start = root.isFlow ? list.start : withoutBlanks(text, list.start)
  return { start, end: list.end, text: indented }
}

function newKey(text: string, root: WrittenMapping, entry: string, line: string): Edit {
  if (!root.isFlow)
    return atEnd(
      text,
      `${indentOf(text, root.start)}moved:${line}${indentOf(text, root.start)}  - ${entry}${line}`,
      line,
    )
  const end = root.members.at(-1)?.value.end ?? root.start + 1
  return { start: end, end, text: `, "moved": [${entry}]` }
}

function nextItem(text: string, list: WrittenNode & { kind: 'sequence' }, entry: string, line: string): Edit {
  const last = list.items.at(-1)?.end ?? list.end
  if (list.isFlow) return { start: last, end: last, text: `, ${entry}` }
  // After a comment on the line of the last entry.
  const lineEnd = /\r?$/m.exec(text.slice(last))?.index ?? 0
  const at = last + lineEnd
  return { start: at, end: at, text: `${line}${indentOf(text, list.start)}- ${entry}` }
}

function atEnd(text: string, block: string, line: string): Edit {
  const gap = text === '' ? '' : text.endsWith('\n') ? line : line + line
  return { start: text.length, end: text.length, text: gap + block }
}

function indentOf(text: string, start: number): string {
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
}

/** The offset after the last character that is not blank. */
function withoutBlanks(text: string, at: number): number {
  return text.slice(0, at).trimEnd().length
}
