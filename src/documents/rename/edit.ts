import { SCALAR_STYLE } from 'js-yaml'
import { scalarText } from '../yaml/yaml-scalars.ts'
import type { WrittenScalar } from './written-tree.ts'

/** A part of a text that becomes another one. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function edited(text: string, edits: readonly Edit[]): string {
  let made = ''
  let at = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    made += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return made + text.slice(at)
}

/** The edit that gives a scalar another text, in quotes where it had some; null where it is written over several lines. */
export function rewritten(scalar: WrittenScalar, text: string): Edit | null {
  const { start, end, style } = scalar
  if (style === SCALAR_STYLE.DOUBLE_QUOTED) return { start, end, text: JSON.stringify(text) }
  if (style === SCALAR_STYLE.SINGLE_QUOTED && !text.includes('\n'))
    return { start, end, text: `'${text.replaceAll("'", "''")}'` }
  return style === SCALAR_STYLE.PLAIN ? { start, end, text: scalarText(text) } : null
}
