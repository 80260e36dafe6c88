import { GENERATED } from '../../records/secret.ts'

export interface Reference {
  readonly kind: 'reference'
  readonly scheme: 'env' | 'file'
  /** The name of the variable, or the path of the file. */
  readonly name: string
  readonly written: string
}

/** One piece of a text with references. `generated` is a secret that the platform makes. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | Reference
  | { readonly kind: 'generated'; readonly written: string }
  | { readonly kind: 'malformed'; readonly written: string }

/** Matches `$${`, or `${` up to the next closing brace. The brace is missing in a malformed reference. */
const LITERAL = '$${'
const PIECE = /\$\$\{|\$\{([^}]*)(\}?)/g
const ENV = /^env:([A-Za-z_][A-Za-z0-9_]*)$/
const FILE = /^file:([^\0]+)$/

/** Splits a text at its references. `$${` stands for a literal `${`. */
export function splitReferences(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    pieces.push(readPiece(match[0], match[1] ?? '', match[2] === '}'))
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

function readPiece(written: string, inside: string, closed: boolean): Piece {
  if (written === LITERAL) return { kind: 'text', text: '${' }
  if (written === GENERATED) return { kind: 'generated', written }
  const variable = ENV.exec(inside)?.[1]
  if (closed && variable !== undefined) return { kind: 'reference', scheme: 'env', name: variable, written }
  const path = FILE.exec(inside)?.[1]
  if (closed && path !== undefined) return { kind: 'reference', scheme: 'file', name: path, written }
  return { kind: 'malformed', written }
}

/** Escapes a text for a file, so that it contains no references when it is read. */
export function escapeReferences(text: string): string {
  return text.replaceAll('${', () => LITERAL)
}
