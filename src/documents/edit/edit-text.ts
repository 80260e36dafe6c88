import { isDeepStrictEqual } from 'node:util'
import { isAlias, isMap, isSeq, visit, type YAMLMap } from 'yaml'
import type { Json } from '../../lib/json.ts'
import { positionsIn } from '../checks/finding.ts'
import { parseJson } from '../json/parse-json.ts'
import { decode } from '../read/decode.ts'
import { DOCUMENT_LIMITS } from '../read/load.ts'
import { isJson, type SourceFile } from '../read/read-file.ts'
import { want, wantedTree, type Wanted } from '../wanted.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { refuseComments } from './comments.ts'
import { addMember, editItems, removeMembers, replaceItem, replaceValue } from './edit-members.ts'
import { shorten } from './shortened-text.ts'
import { applied, CannotEdit, inOrder, type TextEdit } from './text-edit.ts'
import { editValues, listEdits, type EditPlace, type ValueEdit } from './value-edit.ts'
import { blockMember, flowValue } from './write-value.ts'
import { containerPointer, nodeAt, pairOf, yamlTree, type YamlTree } from './yaml-tree.ts'

/** A file with other values, or the reasons why a person must help, each with its position. */
export type EditedText =
  { readonly text: string; readonly edits: readonly TextEdit[] } | { readonly problems: readonly EditProblem[] }

export interface EditProblem {
  readonly edit: ValueEdit
  readonly message: string
}

/** The text of a file, without its byte order mark, and the values of its documents. */
export function readTexts(source: SourceFile): { readonly text: string; readonly documents: readonly unknown[] } {
  const { text } = decode(source.bytes)
  return { text, documents: documentsOf(source, text) }
}

function documentsOf(source: SourceFile, text: string): readonly unknown[] {
  const { depth, aliasedValues } = DOCUMENT_LIMITS
  if (isJson(source)) return parseJson(text, depth).documents
  return parseYaml(text, depth, { limit: aliasedValues, left: aliasedValues }).documents
}

/**
 * Changes values in a file, and leaves everything else as it is: comments, order, quotes and white space. The result
 * is read again, and is only returned if it has the wanted values.
 */
export function editText(source: SourceFile, edits: readonly ValueEdit[]): EditedText {
  const { text, documents } = readTexts(source)
  const wanted = [...documents]
  editValues(wanted, edits)
  const tree = yamlTree(shorten(text, DOCUMENT_LIMITS.depth, wantedPaths(edits)), isJson(source))
  const editor = new Editor(tree, edits)
  const made = inOrder(editor.edits).map((edit) => inWholeText(edit, tree))
  const result = applied(text, made)
  const isDone = editor.problems.length === 0 && isDeepStrictEqual(documentsOf(source, result), wanted)
  return isDone ? { text: result, edits: made } : { problems: problemsOf(editor, edits, source, text, tree) }
}

function wantedPaths(edits: readonly ValueEdit[]): ReadonlyMap<number, Wanted> {
  const roots = new Map<number, Wanted>()
  for (const { document, path } of edits) {
    const root = roots.get(document) ?? wantedTree()
    roots.set(document, root)
    want(root, path.map(String))
  }
  return roots
}

function inWholeText(edit: TextEdit, { offsetOf }: YamlTree): TextEdit {
  return { ...edit, start: offsetOf(edit.start), end: offsetOf(edit.end) }
}

const UNSAFE = 'this is written in a way that cannot be changed safely; change it by hand'

function problemsOf(
  { problems }: Editor,
  edits: readonly ValueEdit[],
  { path: file }: SourceFile,
  text: string,
  tree: YamlTree,
): EditProblem[] {
  const positionAt = positionsIn(text)
  const message = (offset: number, why: string) => {
    const { line, column } = positionAt(tree.offsetOf(offset))
    return `${file}:${line}:${column}: ${why}`
  }
  if (problems.length > 0)
    return problems.map(({ edit, offset, why }) => ({ edit, message: message(offset, `${UNSAFE}: ${why}`) }))
  // The result differs from the wanted values. The most likely reason is a value that is repeated elsewhere.
  const repeated = edits.flatMap((edit) => {
    const found = anchorAt(tree, edit, text)
    return found === null ? [] : [{ edit, message: message(found.offset, found.why) }]
  })
  return repeated.length > 0
    ? repeated
    : edits.map((edit) => ({ edit, message: message(offsetNear(tree, edit), UNSAFE) }))
}

/** The alias or the repeated anchor of a value, of a value inside it, or of a value around it. */
function anchorAt(tree: YamlTree, edit: ValueEdit, text: string) {
  for (let { path } = edit; path.length > 0; path = path.slice(0, -1)) {
    const node = nodeAt(tree, { ...edit, path })?.node
    if (node === undefined) continue
    const offset = node.range[0]
    if (isAlias(node)) return { offset, why: `this repeats another place by *${node.source}; write it out here` }
    const anchors = [node.anchor]
    const note = (_: unknown, { anchor }: { anchor?: string }) => void anchors.push(anchor)
    if (path === edit.path) visit(node, { Value: note })
    const anchor = anchors.find((name) => name !== undefined && text.includes(`*${name}`))
    const why = `other places repeat this by *${anchor}, so it is not changed here; write it out at those places`
    if (anchor !== undefined) return { offset, why }
  }
  return null
}

/** The offset of a value, or of the nearest written value around it. */
function offsetNear(tree: YamlTree, edit: ValueEdit): number {
  for (let { path } = edit; path.length > 0; path = path.slice(0, -1)) {
    const found = nodeAt(tree, { ...edit, path })
    if (found !== null) return found.node.range[0]
  }
  return 0
}

type SetEdit = Extract<ValueEdit, { kind: 'set' }>

/** Makes edits of a text from edits of values. */
class Editor {
  readonly edits: TextEdit[] = []
  readonly problems: { readonly edit: ValueEdit; readonly offset: number; readonly why: string }[] = []
  readonly #tree: YamlTree

  constructor(tree: YamlTree, edits: readonly ValueEdit[]) {
    this.#tree = tree
    for (const group of Map.groupBy(edits, containerPointer).values()) this.#editContainer(group)
  }

  #editContainer(edits: readonly ValueEdit[]): void {
    const [edit] = edits
    if (edit === undefined) return
    try {
      this.edits.push(...this.#editsIn(edit, edits))
    } catch (error) {
      if (!(error instanceof CannotEdit)) throw error
      for (const one of edits) this.problems.push({ edit: one, offset: error.offset, why: error.message })
    }
  }

  #editsIn(first: ValueEdit, edits: readonly ValueEdit[]): TextEdit[] {
    const { document } = first
    const path = first.path.slice(0, -1)
    const found = nodeAt(this.#tree, { document, path })
    if (found === null) return this.#addRoot(first)
    const { node } = found
    // A value that an alias repeats is changed at its anchor, if every repetition shall change.
    if (isAlias(node)) return []
    if (isMap(node)) {
      const removed = new Set(edits.flatMap((edit) => (edit.kind === 'remove' ? [edit.path.at(-1)] : [])))
      if (removed.size === node.items.length && removed.size > 0) {
        const added = edits.flatMap((edit) => (edit.kind === 'set' ? [[String(edit.path.at(-1)), edit.value]] : []))
        return this.#replace({ document, path }, Object.fromEntries(added))
      }
      return [
        ...removeMembers(this.#tree, node, removed, first.path.length),
        ...edits.flatMap((edit) => (edit.kind === 'set' ? this.#setMember(node, edit, removed) : [])),
      ]
    }
    if (!isSeq(node)) throw new CannotEdit('it is no list', node.range[0])
    const { inserted, removed } = listEdits(edits)
    const index = (item: number) => this.#tree.indexOf([document, ...path], item)
    const values = [...inserted.values()].flat()
    const replaced = edits.flatMap((edit) => {
      if (edit.kind !== 'set') return []
      const at = index(Number(edit.path.at(-1)))
      if (isAlias(node.items[at])) return []
      refuseComments(this.#tree, node.items[at])
      return [replaceItem(this.#tree, node, at, edit.value, edit.path.length)]
    })
    if (node.items.length === removed.size) return [...replaced, ...this.#replace({ document, path }, values)]
    const changes = {
      inserted: [...inserted].map(([at, list]) => [at === 0 ? 0 : index(at - 1) + 1, list] as const),
      removed: new Set([...removed].map(index)),
    }
    return [...replaced, ...editItems(this.#tree, node, changes, first.path.length)]
  }

  #setMember(map: YAMLMap.Parsed, { path, value, after = [] }: SetEdit, removed: ReadonlySet<unknown>): TextEdit[] {
    const name = String(path.at(-1))
    const depth = path.length
    const pair = pairOf(map, name)
    if (isAlias(pair?.value)) return []
    refuseComments(this.#tree, pair?.value)
    if (pair !== undefined) return replaceValue(this.#tree, map, pair, value, depth + 1)
    const isAtTop = depth === 1 && map.flow !== true && this.#tree.documents.length === 1
    return [isAtTop ? this.#atEnd(name, value) : addMember(this.#tree, map, [name, value], { after, removed }, depth)]
  }

  /** A new key of a document is written at its end, with a blank line above it. */
  #atEnd(name: string, value: Json): TextEdit {
    const { text, style } = this.#tree
    const gap = text === '' ? '' : text.endsWith('\n') ? style.eol : style.eol + style.eol
    const made = gap + blockMember(name, value, style, '') + style.eol
    return { start: text.length, end: text.length, text: made, depth: 1 }
  }

  #addRoot(edit: ValueEdit): TextEdit[] {
    const name = edit.path[0]
    if (edit.path.length === 1 && typeof name === 'string' && edit.kind === 'set')
      return [this.#atEnd(name, edit.value)]
    throw new CannotEdit('there is no such value', 0)
  }

  #replace({ document, path }: EditPlace, value: Json): TextEdit[] {
    const parent = nodeAt(this.#tree, { document, path: path.slice(0, -1) })?.node
    const name = path.at(-1) ?? ''
    const depth = path.length + 1
    if (isMap(parent)) {
      const pair = pairOf(parent, String(name))
      if (pair !== undefined) return replaceValue(this.#tree, parent, pair, value, depth)
    }
    if (isSeq(parent)) {
      const index = this.#tree.indexOf([document, ...path.slice(0, -1)], Number(name))
      return [replaceItem(this.#tree, parent, index, value, depth)]
    }
    const node = nodeAt(this.#tree, { document, path })?.node
    if (node === undefined) throw new CannotEdit('there is no such value', 0)
    return [{ start: node.range[0], end: node.range[1], text: flowValue(value, this.#tree.style), depth }]
  }
}
