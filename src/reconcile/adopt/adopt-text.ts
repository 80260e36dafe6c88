import { counted } from '../../lib/counted.ts'
import { paint, styled, type Line, type Style } from '../../lib/styled-line.ts'
import { escapeUnseen, plainText } from '../../lib/visible-text.ts'
import { positionsIn } from '../../documents/checks/finding.ts'
import { readTexts } from '../../documents/edit/edit-text.ts'
import { inOrder } from '../../documents/edit/text-edit.ts'
import { recordName } from '../../plan/render/change-notes.ts'
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
  const { text: before } = readTexts(source)
  const positionAt = positionsIn(before)
  const lines: Line[] = []
  let shift = 0
  let hunk = { start: -1, end: -1, newStart: 0, newEnd: 0 }
  const close = () => {
    if (hunk.start < 0) return
    lines.push([styled(`${plainText(path)}:${positionAt(hunk.start).line}`, 'dim')])
    const [old, made] = trimmed(linesOf(before, hunk.start, hunk.end), linesOf(after, hunk.newStart, hunk.newEnd))
    for (const line of old) lines.push([styled(`- ${line}`, 'removed')])
    for (const line of made) lines.push([styled(`+ ${line}`, 'added')])
  }
  for (const { start, end, text } of inOrder(edits)) {
    if (start > hunk.end) {
      close()
      hunk = { start: lineStart(before, start), end: 0, newStart: lineStart(after, start + shift), newEnd: 0 }
    }
    shift += text.length - (end - start)
    hunk = { ...hunk, end: lineEnd(before, end), newEnd: lineEnd(after, end + shift) }
  }
  close()
  return lines
}

function linesOf(text: string, start: number, end: number): string[] {
  return start >= end ? [] : text.slice(start, end).split(/\r?\n/).map(shownLine)
}

/** Leaves out the lines at both ends that stay the same. */
function trimmed(old: readonly string[], made: readonly string[]) {
  let head = 0
  while (head < Math.min(old.length, made.length) && old[head] === made[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, made.length) - head && old.at(-1 - tail) === made.at(-1 - tail)) tail++
  return [old.slice(head, old.length - tail), made.slice(head, made.length - tail)] as const
}

/** A file may hold a secret in plain text although it should not. */
function shownLine(line: string): string {
  const isSecret = /secret|password/i.test(line) && line.includes(':') && !line.includes('${')
  const shown = isSecret ? `${line.slice(0, line.indexOf(':'))}: (secret)` : line
  return shown.split('\t').map(escapeUnseen).join('    ')
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** The end of the line before an offset, or of the line around it. */
function lineEnd(text: string, at: number): number {
  if (text[at - 1] === '\n') return at - 1
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
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
