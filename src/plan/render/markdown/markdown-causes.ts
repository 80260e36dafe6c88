import { formatCount } from '../../../lib/counted.ts'
import { byImportance, causesOf, followersText, moreText, withoutFollowers, type Cause } from '../consequences.ts'
import { recordName } from '../change-notes.ts'
import { changedFields } from '../record-fields.ts'
import type { Action, Change, Plan } from '../../plan.ts'
import { changeItem, deleteLines, prefixed, type MarkdownContext } from './markdown-change.ts'
import { isUnfolded } from './markdown-detail.ts'
import { codeSpan, fence } from './markdown-text.ts'

// Deletes, moves and guarded changes are shown before all others. Many of them are folded, with the most important ones
// in sight.

interface Kind {
  readonly title: string
  readonly actions: readonly Action[]
  show(causes: readonly Cause[], context: MarkdownContext): string[]
}

const KINDS: readonly Kind[] = [
  { title: 'Deletes', actions: ['delete'], show: deleteBlock },
  { title: 'Moves', actions: ['move'], show: changeItems },
  { title: 'Guarded changes', actions: ['create', 'update'], show: changeItems },
]

/** The changes that are shown before others, by their kind, the most important first. Made once for all levels. */
export type Prominent = readonly (readonly Cause[])[]

export function prominentOf({ changes }: Pick<Plan, 'changes'>): Prominent {
  const all = changes.filter(isUnfolded)
  return KINDS.map(({ actions }) => causesOf(all.filter(({ action }) => actions.includes(action))).sort(byImportance))
}

export function prominentSections(prominent: Prominent, context: MarkdownContext): string[][] {
  return KINDS.map((kind, index) => kindSection(kind, prominent[index] ?? [], context))
}

function kindSection({ title, show }: Kind, causes: readonly Cause[], context: MarkdownContext): string[] {
  if (causes.length === 0) return []
  const { unfolded, folded } = context.detail
  const total = causes.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
  const shown = causes.slice(0, unfolded)
  return [
    `#### ${title} (${formatCount(total)})`,
    ...(shown.length === 0 ? [] : show(shown, context)),
    ...restOf(causes.slice(unfolded), folded),
  ]
}

function changesOf(causes: readonly Cause[]): Change[] {
  return causes.flatMap(({ change, followers }) => [change, ...followers])
}

/** The names of those that are not in sight, and how many of them there is no room for. */
function restOf(causes: readonly Cause[], folded: number): string[] {
  if (causes.length === 0) return []
  if (folded === 0) return ['', moreText(changesOf(causes))]
  const left = causes.slice(folded)
  const lines = causes.slice(0, folded).flatMap((cause) => [nameLine(cause), ...followerLines(cause, 0)])
  const more = left.length === 0 ? [] : [`# ${moreText(changesOf(left))}`]
  return [
    '',
    `<details><summary>${moreText(changesOf(causes))}</summary>`,
    '',
    ...fence('diff', [...lines, ...more]),
    '',
    '</details>',
  ]
}

const SIGNS: { readonly [action in Action]: string } = { create: '+', update: '!', delete: '-', move: '!' }

function nameLine({ change }: Cause): string {
  return `${SIGNS[change.action]} ${recordName(change)}`
}

function followerLines(cause: Cause, mostNamed?: number): string[] {
  const text = followersText(cause, mostNamed)
  return text === null ? [] : prefixed('#   ', [text])
}

/** More deletes than these are shown with one line of their fields, and what goes with them as a number. */
export const MOST_AT_LENGTH = 12

function deleteBlock(causes: readonly Cause[], context: MarkdownContext): string[] {
  const isBrief = causes.length > MOST_AT_LENGTH
  const lines = causes.flatMap((cause) => [
    ...deleteLines(withoutFollowers(cause), context, isBrief),
    ...followerLines(cause, isBrief ? 0 : undefined),
  ])
  return fence('diff', lines)
}

function changeItems(causes: readonly Cause[], context: MarkdownContext): string[] {
  return causes.flatMap((cause) => {
    const change = withoutFollowers(cause)
    const text = followersText(cause)
    const item = changeItem(change, changedFields(change), context, change.type)
    return text === null ? item : [...item, '', `  ${codeSpan(text)}`]
  })
}

/** How many changes a level of detail leaves unnamed. */
export function unnamedCount(prominent: Prominent, { unfolded, folded }: MarkdownContext['detail']): number {
  const unnamed = prominent.flatMap((causes) => causes.slice(unfolded + folded))
  return unnamed.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
}
