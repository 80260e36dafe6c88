import * as fc from 'fast-check'
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Model } from './valid-model.ts'

type Collection = YAMLMap | YAMLSeq

/** A way to write a file: what people do to their models, and what their editors do. */
export interface FileStyle {
  readonly form: 'json' | 'yaml'
  /** For JSON, `0` writes everything on one line. */
  readonly indent: number | string
  readonly indentSeq: boolean
  readonly keys: 'PLAIN' | 'QUOTE_DOUBLE' | 'QUOTE_SINGLE'
  readonly quotes: FileStyle['keys']
  readonly padding: boolean
  readonly eol: '\n' | '\r\n'
  readonly mark: boolean
  readonly endsWithEol: boolean
  /** Whether equal values are written once, with an anchor, and repeated by aliases. */
  readonly repeats: boolean
  /** What is decided for each node in turn: comments, blank lines, brackets. */
  readonly dice: readonly number[]
}

export function fileStyleArbitrary(): fc.Arbitrary<FileStyle> {
  return fc.record({
    form: fc.constantFrom('json', 'yaml', 'yaml', 'yaml'),
    indent: fc.constantFrom(2, 4, 0, '\t', 1, 8),
    indentSeq: fc.boolean(),
    keys: fc.constantFrom('PLAIN', 'PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
    quotes: fc.constantFrom('PLAIN', 'PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
    padding: fc.boolean(),
    eol: fc.constantFrom('\n', '\n', '\r\n'),
    mark: fc.boolean(),
    endsWithEol: fc.boolean(),
    repeats: fc.boolean(),
    dice: fc.array(fc.nat({ max: 19 }), { minLength: 7, maxLength: 40 }),
  })
}

export interface StyledFile {
  readonly text: string
  readonly comments: readonly string[]
}

/** The file with this document. */
export function writtenIn(style: FileStyle, document: Model | object): StyledFile {
  const { text, comments } = style.form === 'json' ? jsonText(style, document) : yamlText(style, document)
  const whole = style.endsWithEol ? `${text.trimEnd()}\n` : text.trimEnd()
  return { text: (style.mark ? '\ufeff' : '') + whole.replaceAll('\n', style.eol), comments }
}

function jsonText({ indent }: FileStyle, document: object): StyledFile {
  return { text: JSON.stringify(document, null, indent), comments: [] }
}

function yamlText({ dice, indent, indentSeq, keys, quotes, padding, repeats }: FileStyle, value: object): StyledFile {
  const document = new Document(value, { schema: 'core', version: '1.2', aliasDuplicateObjects: false })
  const comments: string[] = []
  let at = 0
  const roll = () => dice[at++ % dice.length] ?? 0
  const comment = () => {
    comments.push(`# c${comments.length} of ${roll()}.`)
    return ` ${comments.at(-1)?.slice(2)}`
  }
  const first = new Map<string, Collection | Scalar>()
  /** The alias of an equal value above; undefined if there is none. */
  const repeated = (node: Collection | Scalar) => {
    const text = JSON.stringify(node)
    const above = first.get(text)
    if (repeats && above !== undefined && roll() < 8) return document.createAlias(above, `a${first.size}`)
    if (above === undefined) first.set(text, node)
    return undefined
  }
  const decorate = (node: Node, isBlock: boolean) => {
    if (isBlock && roll() < 3) node.commentBefore = comment()
    if (isBlock && roll() < 2) node.spaceBefore = true
    if (isScalar(node) && isBlock && roll() < 3) node.comment = comment()
  }
  visit(document, {
    Collection(_, node, path) {
      const isInFlow = path.some((one) => isCollection(one) && one.flow === true)
      const alias = path.length > 3 ? repeated(node) : undefined
      if (alias !== undefined) return alias
      node.flow = isInFlow || (path.length > 3 && roll() < 6) || node.items.length === 0
      return undefined
    },
    Pair(_, pair, path) {
      const isBlock = !path.some((one) => isCollection(one) && one.flow === true)
      if (isScalar(pair.key)) decorate(pair.key, false)
      if (isScalar(pair.key) && isBlock && roll() < 2) pair.key.commentBefore = comment()
    },
    Scalar(key, node, path) {
      const alias = key !== 'key' && typeof node.value === 'string' ? repeated(node) : undefined
      if (alias !== undefined) return alias
      const isBlock = key !== 'key' && !path.some((one) => isCollection(one) && one.flow === true)
      const isOneLine = typeof node.value !== 'string' || !/[\n\r]/.test(node.value)
      if (isBlock && isOneLine && roll() < 2) node.comment = comment()
      if (typeof node.value === 'string' && key !== 'key' && roll() < 2) node.type = 'QUOTE_DOUBLE'
      return undefined
    },
    Seq(_, list) {
      if (list.flow === true) return
      for (const item of list.items) if (isMap(item) || isSeq(item)) decorate(item, true)
    },
  })
  const text = document.toString({
    indent: typeof indent === 'number' && indent > 0 ? indent : 2,
    indentSeq,
    lineWidth: 0,
    defaultKeyType: keys,
    defaultStringType: quotes,
    flowCollectionPadding: padding,
    doubleQuotedMinMultiLineLength: 10_000,
  })
  return { text, comments: comments.filter((one) => text.includes(one)) }
}
