import { styleText } from 'node:util'
import { displayWidth } from './display-width.ts'

// Lines are laid out as plain text, and each part has a style. So colour adds to the text without changing it.

const FORMATS = {
  strong: 'bold',
  dim: 'dim',
  added: 'green',
  changed: 'yellow',
  removed: 'red',
  moved: 'cyan',
  warning: 'yellow',
  error: 'redBright',
} as const

export type Style = keyof typeof FORMATS

export interface StyledText {
  readonly text: string
  readonly style: Style
}

/** A line of output. Its plain strings have no style. */
export type Line = readonly (string | StyledText)[]

export function styled(text: string, style: Style): StyledText {
  return { text, style }
}

export function lineWidth(line: Line): number {
  return line.reduce((width, part) => width + displayWidth(typeof part === 'string' ? part : part.text), 0)
}

/** Writes lines as text. `color` only adds SGR escape sequences. */
export function paint(lines: readonly Line[], color: boolean): string {
  return lines
    .map((line) => (color ? joinStyles(line) : line).map((part) => paintPart(part, color)).join(''))
    .join('\n')
}

/** Joins words of one style with the spaces between them, which needs fewer escape sequences and looks the same. */
function joinStyles(line: Line): Line {
  const joined: (string | StyledText)[] = []
  for (const part of line) {
    const [before, gap] = [joined.at(-2), joined.at(-1)]
    const isSame = typeof part !== 'string' && typeof before === 'object' && before.style === part.style
    if (isSame && typeof gap === 'string' && gap.trim() === '')
      joined.splice(-2, 2, { ...part, text: before.text + gap + part.text })
    else joined.push(part)
  }
  return joined
}

function paintPart(part: string | StyledText, color: boolean): string {
  if (typeof part === 'string') return part
  return color && part.text !== '' ? styleText(FORMATS[part.style], part.text, { validateStream: false }) : part.text
}

interface Word {
  readonly parts: Line
  readonly width: number
  /** The spaces before the word. */
  readonly gap: string
}

/** Breaks a line at spaces so that it fits. Later lines are indented by `hang`. Words that are too long stay whole. */
export function wrapLine(line: Line, width: number, hang: number): Line[] {
  if (lineWidth(line) <= width) return [line]
  const lines: (string | StyledText)[][] = [[]]
  let column = 0
  for (const word of wordsOf(line)) {
    const current = lines.at(-1) ?? []
    if (current.length > 0 && column + word.gap.length + word.width > width) {
      lines.push([' '.repeat(hang), ...word.parts])
      column = hang + word.width
    } else {
      current.push(word.gap, ...word.parts)
      column += word.gap.length + word.width
    }
  }
  return lines
}

function wordsOf(line: Line): Word[] {
  const words: { parts: (string | StyledText)[]; width: number; gap: string }[] = []
  let gap: string | null = ''
  for (const part of line) {
    const { text, style } = typeof part === 'string' ? { text: part, style: null } : part
    for (const piece of text.split(/( +)/)) {
      if (piece === '') continue
      if (piece.startsWith(' ')) {
        gap = (gap ?? '') + piece
        continue
      }
      if (gap !== null) words.push({ parts: [], width: 0, gap })
      gap = null
      const word = words.at(-1)
      word?.parts.push(style === null ? piece : { text: piece, style })
      if (word) word.width += displayWidth(piece)
    }
  }
  return words
}
