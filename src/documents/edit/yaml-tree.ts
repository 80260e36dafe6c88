import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  visit,
  type Document,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { toPointer } from '../../lib/pointer.ts'
import type { ShortenedText } from './shortened-text.ts'
import type { EditPlace } from './value-edit.ts'
import type { Style } from './write-value.ts'

export type ParsedPair = Pair<ParsedNode, ParsedNode | null>

/** The nodes of a shortened text, with their positions in it. JSON is read as YAML, because YAML includes it. */
export interface YamlTree extends ShortenedText {
  readonly documents: readonly Document.Parsed[]
  readonly style: Style
}

const OPTIONS = { keepSourceTokens: true, strict: false, uniqueKeys: false, prettyErrors: false } as const

export function yamlTree(shortened: ShortenedText, isJson: boolean): YamlTree {
  const documents = parseAllDocuments(shortened.text, { ...OPTIONS, logLevel: 'silent', schema: 'core' })
  return { ...shortened, documents, style: styleOf(documents, shortened.text, isJson) }
}

/** The node at a place. If an alias stands there or on the way, it is the alias, at its own place. */
export function nodeAt({ documents, indexOf }: YamlTree, { document, path }: EditPlace) {
  let node: ParsedNode | null | undefined = documents[document]?.contents
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) return { node, path: path.slice(0, depth) }
    if (isSeq(node)) node = node.items[indexOf([document, ...path.slice(0, depth)], Number(part))]
    else node = isMap(node) ? pairOf(node, String(part))?.value : undefined
    if (node === undefined) return null
  }
  return node ? { node, path } : null
}

export function pairOf(map: YAMLMap.Parsed, name: string): ParsedPair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)
}

/** The end of a node without the comments and line breaks after it. */
export function endOf(node: ParsedNode, text: string): number {
  const last: ParsedPair | ParsedNode | undefined =
    (isMap(node) || isSeq(node)) && node.flow !== true ? node.items.at(-1) : undefined
  if (last !== undefined) return 'key' in last ? endOfPair(last, text) : endOf(last, text)
  return node.range[0] + text.slice(node.range[0], node.range[1]).trimEnd().length
}

export function endOfPair(pair: ParsedPair, text: string): number {
  const end = pair.value === null ? 0 : endOf(pair.value, text)
  // A value that is not written out has the position of the next token.
  return isUnwritten(pair.value) ? colonEnd(pair) : Math.max(end, colonEnd(pair))
}

export function isUnwritten(node: ParsedNode | null): boolean {
  return node === null || (isScalar(node) && node.range[0] === node.range[1])
}

/** The offset after the colon of a pair, or after its key if there is no colon. */
export function colonEnd({ key, srcToken }: ParsedPair): number {
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
  return colon === undefined ? key.range[1] : colon.offset + 1
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** The offset of the line break at the end of a line, or of the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  if (end < 0) return text.length
  return text[end - 1] === '\r' && end > at ? end - 1 : end
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at)
}

/** Finds out the style of a file. If the text does not show a part of the style, it is the style of most people. */
function styleOf(documents: readonly Document.Parsed[], text: string, isJson: boolean): Style {
  const seen = {
    step: '',
    listStep: '',
    padding: '',
    keys: new Map<string, number>(),
    texts: new Map<string, number>(),
  }
  const column = (node: unknown) => ((isMap(node) || isSeq(node)) && node.range ? columnOf(text, node.range[0]) : null)
  for (const document of documents)
    visit(document, {
      Pair(_, { key, value }) {
        if (isScalar(key)) count(seen.keys, key)
        if (isScalar(value) && typeof value.value === 'string') count(seen.texts, value)
        if (!isScalar(key) || !key.range || !(isMap(value) || isSeq(value)) || value.flow === true) return
        const by = (column(value) ?? 0) - columnOf(text, key.range[0])
        if (isSeq(value)) seen.listStep ||= by > 0 ? ' '.repeat(by) : 'none'
        else if (by > 0) seen.step ||= ' '.repeat(by)
      },
      Map(_, map) {
        if (map.flow !== true || !map.range || map.items.length === 0) return
        const first = text.slice(map.range[0] + 1).search(/\S/)
        seen.padding ||= first > 0 ? ' ' : 'none'
      },
    })
  const listStep = seen.listStep === 'none' ? '' : seen.listStep || '  '
  const keyType = mostOf(seen.keys, isJson ? 'QUOTE_DOUBLE' : 'PLAIN')
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    step: isJson ? (/^([ \t]+)\S/m.exec(text)?.[1] ?? '  ') : seen.step || listStep || '  ',
    listStep,
    padding: seen.padding === 'none' || (isJson && seen.padding === '') ? '' : ' ',
    gap: isJson && /"\s*:\S/.test(text) ? '' : ' ',
    keyType,
    textType: mostOf(seen.texts, keyType),
  }
}

function count(counts: Map<string, number>, { type = 'PLAIN' }: { readonly type?: string | undefined }): void {
  counts.set(type, (counts.get(type) ?? 0) + 1)
}

const TYPES = ['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'] as const

function mostOf(counts: ReadonlyMap<string, number>, otherwise: Scalar.Type): Scalar.Type {
  const found = TYPES.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0] ?? otherwise
  return (counts.get(found) ?? 0) > 0 ? found : otherwise
}

/** The pointer of a container, by which edits are grouped. */
export function containerPointer({ document, path }: EditPlace): string {
  return toPointer([document, ...path.slice(0, -1)])
}
