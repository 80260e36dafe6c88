import { counted } from '../../lib/counted.ts'
import { paint, styled, type Line, type Style } from '../../lib/styled-line.ts'
import { escapeUnseen, plainText } from '../../lib/visible-text.ts'
import { positionsIn } from '../../documents/checks/finding.ts'
import { inOrder } from '../../documents/edit/text-edit.ts'
import { decode } from '../../documents/read/decode.ts'
import { recordName } from '../../plan/render/change-notes.ts'
import { withoutSecrets } from '../models/source-lines.ts'
import type { Adoption, LeftOut } from './adoptions.ts'
import type { EditedFile } from './edit-files.ts'

export interface AdoptionResult {
  readonly adopted: readonly Adoption[]
  readonly left: readonly LeftOut[]
  readonly files: readonly EditedFile[]
}

const SIGNS: { readonly [action in Adoption['action']]: readonly [sign: string, style: Style] } = {
  add: ['+', 'added'],
  change: ['~', 'changed'],
  remove: ['-', 'removed'],
}

/** The changes to adopt, those to leave, and the lines of the files that change. */
export function adoptionText({ adopted, left, files }: AdoptionResult, platform: string, color: boolean): string {
  const head = `Adopt ${counted(adopted.length, 'change')} made on ${platform} into ${counted(files.length, 'file')}`
  const lines: Line[] = [
    [styled(head, 'strong')],
    ...adopted.map((one): Line => ['  ', styled(adoptedText(one), SIGNS[one.action][1])]),
    ...leftLines(left),
    ...files.flatMap((file) => [[], ...diffLines(file)]),
  ]
  return `${paint(lines, color)}\n`
}

export function adoptedText(adoption: Adoption): string {
  const { action, fields, by } = adoption
  const names = fields.length === 0 ? '' : `: ${fields.map(({ name }) => plainText(name)).join(', ')}`
  return `${SIGNS[action][0]} ${recordName(adoption)}${names}${by === undefined ? '' : ` (by ${plainText(by)})`}`
}

export function leftLines(left: readonly LeftOut[]): Line[] {
  if (left.length === 0) return []
  return [['Not adopted:'], ...left.map((one): Line => [`  ${recordName(one)}: ${escapeUnseen(one.reason)}`])]
}

/** The changed lines of a file, each group below its position. */
function diffLines({ path, source, text: after, edits }: EditedFile): Line[] {
  const { text: before } = decode(source.bytes)
  const [old, made] = [sideOf(before), sideOf(after)]
  const lines: Line[] = []
  let shift = 0
  let hunk = { first: 0, last: -1, newFirst: 0, newLast: -1 }
  const close = () => {
    const removed = old.lines.slice(hunk.first, hunk.last + 1)
    const added = made.lines.slice(hunk.newFirst, hunk.newLast + 1)
    if (removed.length + added.length === 0) return
    const { head, tail } = commonEnds(removed, added)
    lines.push([styled(`${plainText(path)}:${hunk.first + 1}`, 'dim')])
    const shown = (side: Side, first: number, count: number, sign: string, style: Style) => {
      for (const line of side.shown.slice(first + head, first + count - tail))
        lines.push([styled(`${sign} ${line.split('\t').map(escapeUnseen).join('    ')}`, style)])
    }
    shown(old, hunk.first, removed.length, '-', 'removed')
    shown(made, hunk.newFirst, added.length, '+', 'added')
  }
  for (const { start, end, text } of inOrder(edits)) {
    const first = old.lineOf(start)
    if (first > hunk.last) {
      close()
      hunk = { first, last: -1, newFirst: made.lineOf(start + shift), newLast: -1 }
    }
    shift += text.length - (end - start)
    hunk = { ...hunk, last: old.lastBefore(end), newLast: made.lastBefore(end + shift) }
  }
  close()
  return lines
}

interface Side {
  readonly lines: readonly string[]
  /** The lines without possible secrets. A file may contain a secret in plain text although it should not. */
  readonly shown: readonly string[]
  lineOf(offset: number): number
  /** The line of an offset, or the one before if it begins there. */
  lastBefore(offset: number): number
}

function sideOf(text: string): Side {
  const positionAt = positionsIn(text)
  const lines = text.split(/\r?\n/)
  return {
    lines,
    shown: withoutSecrets(lines),
    lineOf: (offset) => positionAt(offset).line - 1,
    lastBefore(offset) {
      const { line, column } = positionAt(offset)
      return column === 1 ? line - 2 : line - 1
    },
  }
}

/** The number of lines that stay the same at both ends. */
function commonEnds(old: readonly string[], made: readonly string[]) {
  let head = 0
  while (head < Math.min(old.length, made.length) && old[head] === made[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, made.length) - head && old.at(-1 - tail) === made.at(-1 - tail)) tail++
  return { head, tail }
}

export function adoptionJson(
  outcome: string,
  { adopted, left, files }: AdoptionResult,
  pullRequest: object | null = null,
): string {
  const result = {
    outcome,
    adopted: adopted.map(({ type, key, action, fields }) => ({
      type,
      key,
      action,
      fields: fields.map(({ name }) => name),
    })),
    left,
    files: files.map(({ path }) => path),
    ...(pullRequest !== null && { pullRequest }),
  }
  return `${JSON.stringify(result, null, 2)}\n`
}
