import { isCollection, Lexer, type ParsedNode } from 'yaml'
import { CannotEdit } from './text-edit.ts'
import { columnOf, endOf, type YamlTree } from './yaml-tree.ts'

/** Refuses to replace a list or mapping with comments inside, because they would be lost. */
export function refuseComments({ text }: Pick<YamlTree, 'text'>, node: ParsedNode | null | undefined): void {
  if (!isCollection(node)) return
  const [start] = node.range
  if (hasComment(' '.repeat(columnOf(text, start)) + text.slice(start, endOf(node, text))))
    throw new CannotEdit('it has comments, which would be lost', start)
}

/** Whether a part of a file has comments, other than in quotes. Within brackets, it must begin with one. */
export function hasComment(text: string): boolean {
  return new Lexer().lex(text).some((token) => token.startsWith('#'))
}
