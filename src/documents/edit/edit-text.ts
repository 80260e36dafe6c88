import { isDeepStrictEqual } from 'node:util'
import { isAlias, isMap, isSeq } from 'yaml'
import type { Json } from '../../lib/json.ts'
import { parseJson as parsePlain } from '../../lib/json.ts'
import { valueAt } from '../../records/json-schema.ts'
import { positionsIn } from '../checks/finding.ts'
import { parseJson } from '../json/parse-json.ts'
import { decode } from '../read/decode.ts'
import { DOCUMENT_LIMITS } from '../read/load.ts'
import { isJson, type SourceFile } from '../read/read-file.ts'
import { want, wantedTree, type Wanted } from '../wanted.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { addMember, editItems, removeMember, replaceItem, replaceValue } from './edit-members.ts'
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
  // A value that an alias repeats is changed at its anchor if that is meant everywhere, and otherwise written out.
  for (const writesOut of [false, true]) {
    const editor = new Editor(tree, edits, wanted, writesOut)
    const made = inOrder(editor.edits).map((edit) => inWholeText(edit, tree))
    const result = applied(text, made)
    if (editor.problems.length === 0 && isDeepStrictEqual(documentsOf(source, result), wanted))
      return { text: result, edits: made }
    if (writesOut || !editor.hasAliases) return { problems: problemsOf(editor, edits, source, text, tree) }
  }
  return { problems: [] }
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
  // Somewhere the result is not as meant. A value that is repeated elsewhere is the most likely reason.
  const repeated = edits.flatMap((edit) => {
    const [offset, anchor] = anchorNear(tree, edit)
    const why = `other places repeat this value by *${anchor}, so it is not changed here; write it out at these places`
    return anchor === undefined ? [] : [{ edit, message: message(offset, why) }]
  })
  if (repeated.length > 0) return repeated
  return edits.map((edit) => ({ edit, message: message(anchorNear(tree, edit)[0], UNSAFE) }))
}

/** The offset of the nearest written value, and its anchor or that of a value around it. */
function anchorNear(tree: YamlTree, edit: ValueEdit): [offset: number, anchor?: string] {
  let offset: number | undefined
  for (let { path } = edit; path.length > 0; path = path.slice(0, -1)) {
    const node = nodeAt(tree, { ...edit, path })?.node
    offset ??= node?.range[0]
    if (node !== undefined && !isAlias(node) && node.anchor !== undefined) return [node.range[0], node.anchor]
  }
  return [offset ?? 0]
}

/** Makes the edits of a text from those of values. */
class Editor {
  readonly edits: TextEdit[] = []
  readonly problems: { readonly edit: ValueEdit; readonly offset: number; readonly why: string }[] = []
  hasAliases = false
  readonly #tree: YamlTree
  readonly #wanted: readonly unknown[]
  readonly #writesOut: boolean
  readonly #writtenOut = new Set<string>()

  constructor(tree: YamlTree, edits: readonly ValueEdit[], wanted: readonly unknown[], writesOut: boolean) {
    this.#tree = tree
    this.#wanted = wanted
    this.#writesOut = writesOut
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
    if (isAlias(node)) return this.#writeOut({ document, path: found.path })
    if (isMap(node)) return edits.flatMap((edit) => this.#editMember(node, edit))
    if (!isSeq(node)) throw new CannotEdit('it is no list', node.range[0])
    const { inserted, removed } = listEdits(edits)
    const index = (item: number) => this.#tree.indexOf([document, ...path], item)
    const values = [...inserted.values()].flat()
    const replaced = edits.flatMap((edit) => {
      if (edit.kind !== 'set') return []
      const at = Number(edit.path.at(-1))
      return isAlias(node.items[index(at)]) && !this.#writesOut
        ? this.#noteAlias()
        : [replaceItem(this.#tree, node, index(at), edit.value, edit.path.length)]
    })
    if (node.items.length === removed.size) return [...replaced, ...this.#replace({ document, path }, values)]
    const changes = {
      inserted: [...inserted].map(([at, list]) => [at === 0 ? 0 : index(at - 1) + 1, list] as const),
      removed: new Set([...removed].map(index)),
    }
    return [...replaced, ...editItems(this.#tree, node, changes, first.path.length)]
  }

  #editMember(map: Parameters<typeof addMember>[1], edit: ValueEdit): TextEdit[] {
    const name = String(edit.path.at(-1))
    const depth = edit.path.length
    if (edit.kind === 'remove') return [removeMember(this.#tree, map, name, depth)]
    const pair = pairOf(map, name)
    if (pair === undefined) return [this.#addMember(map, name, edit)]
    if (isAlias(pair.value) && !this.#writesOut) return this.#noteAlias()
    return replaceValue(this.#tree, map, pair, edit.value, depth + 1)
  }

  #addMember(map: Parameters<typeof addMember>[1], name: string, edit: Exclude<ValueEdit, { kind: 'remove' }>) {
    const after = edit.kind === 'set' ? (edit.after ?? []) : []
    if (edit.path.length > 1 || map.flow === true || this.#tree.documents.length > 1)
      return addMember(this.#tree, map, [name, edit.value], after, edit.path.length)
    return this.#atEnd(name, edit.value)
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

  #noteAlias(): [] {
    this.hasAliases = true
    return []
  }

  /** Writes the wanted value in place of an alias. */
  #writeOut({ document, path }: EditPlace): TextEdit[] {
    const pointer = containerPointer({ document, path: [...path, ''] })
    this.#noteAlias()
    if (!this.#writesOut || this.#writtenOut.has(pointer)) return []
    this.#writtenOut.add(pointer)
    const value = valueAt(this.#wanted[document], path.map(String))
    return this.#replace({ document, path }, parsePlain(JSON.stringify(value)))
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
