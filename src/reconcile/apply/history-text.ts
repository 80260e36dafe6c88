import { counted } from '../../lib/counted.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { keyText, pairTexts, valueText } from '../../plan/render/value-text.ts'
import { fromPointer } from '../../lib/pointer.ts'
import type { Json } from '../../lib/json.ts'
import { accessSentence } from '../../plan/render/access-text.ts'
import { ACCESS } from '../../records/record-type.ts'
import type { ApplySummary, PastApply, PastApplyDetails, PastChange } from '../target/target.ts'
import { displayWidth, padToWidth } from '../../lib/display-width.ts'

const HEADINGS = ['WHEN', 'APPLY', 'WHO', 'DID', 'FROM']

export function historyText(applies: readonly PastApply[], platform: string): string {
  if (applies.length === 0) return nothingApplied(escapeUnseen(platform))
  return `Applies on ${escapeUnseen(platform)}\n${textTable(HEADINGS, applies.map(rowOf))}`
}

export function historyMarkdown(applies: readonly PastApply[], platform: string): string {
  if (applies.length === 0) return nothingApplied(markdownCell(platform))
  return `Applies on ${markdownCell(platform)}\n\n${markdownTable(HEADINGS, applies.map(rowOf))}`
}

function nothingApplied(platform: string): string {
  return `Nothing was ever applied on ${platform}.\n`
}

function rowOf(apply: PastApply): string[] {
  return [apply.at, apply.uuid, apply.actor, countsText(apply.summary), sourceOf(apply)]
}

/** `+3 ~1 -2`, with the signs of a plan. */
function countsText({ create, update, delete: deleted, move, access = 0 }: ApplySummary): string {
  const counts = [`+${create}`, `~${update}`, `-${deleted}`, `→${move}`].filter(
    (count) => !count.endsWith('0') || count.length > 2,
  )
  if (access > 0) counts.push(counted(access, 'grant'))
  return counts.length === 0 ? 'scope only' : counts.join(' ')
}

function sourceOf({ origin, rollbackOf }: PastApply): string {
  if (rollbackOf !== null) return `rollback of ${rollbackOf}`
  const { commit, ref } = origin ?? {}
  const branch = ref?.replace(/^refs\/heads\//, '')
  return [commit?.replace(/^([0-9a-f]{12})[0-9a-f]*/, '$1'), branch].filter((word) => word !== undefined).join(' ')
}

export function pastApplyText(apply: PastApplyDetails, platform: string): string {
  const facts = [
    ['apply', apply.uuid],
    ['at', apply.at],
    ['on', platform],
    ['by', apply.actor],
    ['from', [apply.origin?.repository, sourceOf(apply)].filter((word) => word !== undefined && word !== '').join(' ')],
    ['owner', apply.origin?.owner ?? ''],
    ['digest', apply.planDigest],
  ].filter(([, fact]) => fact !== '')
  const head = facts.map(([name = '', fact = '']) => `${name.padEnd(8)}${escapeUnseen(fact)}\n`).join('')
  return `${head}\n${counted(apply.changes.length, 'change')}\n${apply.changes.map(changeText).join('')}`
}

const SYMBOLS = { create: '+', update: '~', delete: '-', move: '→' } as const

function changeText(change: PastChange): string {
  const { type, key, from, action, cause } = change
  const name = type === ACCESS ? accessSentence(change) : `${type}/${keyText(key)}`
  const moved = from === undefined || from === null ? '' : ` (was ${keyText(from)})`
  const why = cause === 'you' ? '' : ` (${cause})`
  const fields = action === 'update' || action === 'move' ? changedFields(change) : ''
  return `${SYMBOLS[action]} ${name}${moved}${why}\n${fields}`
}

const VALUE_LIMIT = 60

function changedFields({ patch, before, after }: PastChange): string {
  const names = [...new Set(patch.map(({ path }) => fromPointer(path)[0] ?? ''))]
  return names.map((name) => `    ${escapeUnseen(name)}: ${fieldText(before?.[name], after?.[name])}\n`).join('')
}

/** A field that neither body has is a secret, because the record of an apply contains none. */
function fieldText(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined && after === undefined) return '(secret, changed)'
  if (before === undefined || after === undefined) return `${shown(before)} → ${shown(after)}`
  return pairTexts(before, after, VALUE_LIMIT).join(' → ')
}

function shown(value: Json | undefined): string {
  return value === undefined ? '(not set)' : valueText(value, VALUE_LIMIT)
}

export function pastApplyMarkdown(apply: PastApplyDetails, platform: string): string {
  const rows = apply.changes.map(({ action, type, key, patch }) => [
    action,
    `${type}/${key}`,
    patch.map(({ path }) => path).join(' '),
  ])
  return `${historyMarkdown([apply], platform)}\n${markdownTable(['ACTION', 'RECORD', 'FIELDS'], rows)}`
}

/** Columns under their headings, as wide as their content. */
function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows.map((row) => row.map(escapeUnseen))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))))
  return cells
    .map((row) =>
      row
        .map((cell, column) => padToWidth(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map((row) => markdownRow(row.map(markdownCell)))
  return markdownRow(headings) + markdownRow(headings.map(() => '---')) + body.join('')
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** Writes the text as code, so that it has no link, mention or markup. Its fence is longer than any inside. */
function markdownCell(text: string): string {
  if (text === '') return ''
  const shown = escapeUnseen(text).replaceAll('|', '\\|')
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? fence + shown + fence : `${fence} ${shown} ${fence}`
}
