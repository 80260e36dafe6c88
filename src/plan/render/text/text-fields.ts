import { counted } from '../../../lib/counted.ts'
import { displayWidth } from '../../../lib/display-width.ts'
import { lineWidth, styled, wrapLine, type Line } from '../../../lib/styled-line.ts'
import type { FieldChange } from '../field-diff.ts'
import { isReplaced, type Change } from '../../plan.ts'
import { secretText } from '../record-fields.ts'
import { pairTexts, valueText } from '../value-text.ts'

/** Paths up to this width share one column. The value of a longer path stands on the next line. */
const WIDEST_PATH = 34
const SHORTEST_VALUE = 32
/** A column must leave at least this width for the values. Otherwise each word would have its own line. */
const LEAST_ROOM = 20
const MOST_FIELDS = 60

/** `~ name  before → after`, one aligned line for each difference. */
export function fieldLines(fields: readonly FieldChange[], indent: number, width: number): Line[] {
  const shown = fields.slice(0, MOST_FIELDS)
  const widest = Math.min(WIDEST_PATH, width - indent - 4 - LEAST_ROOM)
  const paths = shown.map(({ path }) => displayWidth(path)).filter((path) => path <= widest)
  const column = indent + 4 + Math.max(0, ...paths)
  const lines = shown.flatMap((field) => fieldLine(field, indent, column, width))
  const more = fields.length - shown.length
  return more === 0
    ? lines
    : [
        ...lines,
        ...hanging([styled(`… and ${counted(more, 'more difference', 'more differences')}`, 'dim')], indent, width),
      ]
}

export function secretLines(change: Change, indent: number, width: number): Line[] {
  const secret = secretText(change)
  if (secret === null) return []
  const { name, text } = secret
  const isChanged = isReplaced(change.secret)
  const sign = isChanged ? styled('~ ', 'changed') : '  '
  return hanging([sign, `${name}  `, styled(text, isChanged ? 'changed' : 'dim')], indent, width)
}

function fieldLine(field: FieldChange, indent: number, column: number, width: number): Line[] {
  const path = displayWidth(field.path)
  const start: Line = [' '.repeat(indent), signOf(field), field.path]
  const [value = [], second = []] = valueLines(field, width - column)
  const gap = ' '.repeat(Math.max(2, column - indent - 2 - path))
  if (indent + 4 + path <= column)
    return [...wrapLine([...start, gap, ...value], width, column), ...hanging(second, column, width)]
  const line: Line = [...start, gap, ...value]
  if (second.length === 0 && lineWidth(line) <= width) return [line]
  return [start, ...hanging(value, indent + 6, width), ...hanging(second, indent + 6, width)]
}

function hanging(line: Line, indent: number, width: number): Line[] {
  return line.length === 0 ? [] : wrapLine([' '.repeat(indent), ...line], width, indent + 2)
}

function signOf({ kind }: FieldChange) {
  if (kind === 'added') return styled('+ ', 'added')
  if (kind === 'removed') return styled('- ', 'removed')
  return kind === 'changed' ? styled('~ ', 'changed') : '  '
}

/** The value. If before and after do not fit on one line, they take two. */
function valueLines(field: FieldChange, room: number): Line[] {
  const limit = Math.max(SHORTEST_VALUE, room)
  if (field.kind === 'same') return [[styled(`(${field.count} unchanged)`, 'dim')]]
  if (field.kind === 'added') return [[styled(valueText(field.after, limit), 'added')]]
  if (field.kind === 'removed') return [[styled(valueText(field.before, limit), 'removed')]]
  const [before, after] = pairTexts(field.before, field.after, limit)
  const [was, arrow, is] = [styled(before, 'removed'), styled('→ ', 'dim'), styled(after, 'added')]
  const line: Line = [was, ' ', arrow, is]
  return lineWidth(line) <= room ? [line] : [[was], [arrow, is]]
}
