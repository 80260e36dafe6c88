import { formatCount } from '../../../lib/counted.ts'
import { followersText, moreText, rootsOf, withoutFollowers, type Root } from '../roots.ts'
import { byImportance } from '../importance.ts'
import { recordName } from '../change-notes.ts'
import { changedFields } from '../record-fields.ts'
import type { Action, Change, Plan } from '../../plan.ts'
import { changeItem, deleteLines, prefixed, type MarkdownContext } from './markdown-change.ts'
import { isUnfolded } from './markdown-detail.ts'
import { codeSpan, fence } from './markdown-text.ts'

// Deletes, moves and guarded changes are shown before all others. If there are many, only the most important ones are
// visible, and the others are folded.

interface Kind {
  readonly title: string
  readonly actions: readonly Action[]
  show(roots: readonly Root[], context: MarkdownContext): string[]
}

const KINDS: readonly Kind[] = [
  { title: 'Deletes', actions: ['delete'], show: deleteBlock },
  { title: 'Moves', actions: ['move'], show: changeItems },
  { title: 'Guarded changes', actions: ['create', 'update'], show: changeItems },
]

/** The changes that are shown before others, by their kind, the most important first. Made once for all levels. */
export type Prominent = readonly (readonly Root[])[]

export function prominentOf({ changes }: Pick<Plan, 'changes'>): Prominent {
  const all = changes.filter(isUnfolded)
  return KINDS.map(({ actions }) => rootsOf(all.filter(({ action }) => actions.includes(action))).sort(byImportance))
}

export function prominentSections(prominent: Prominent, context: MarkdownContext): string[][] {
  return KINDS.map((kind, index) => kindSection(kind, prominent[index] ?? [], context))
}

function kindSection({ title, show }: Kind, roots: readonly Root[], context: MarkdownContext): string[] {
  if (roots.length === 0) return []
  const { unfolded, folded } = context.detail
  const total = roots.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
  const shown = roots.slice(0, unfolded)
  return [
    `#### ${title} (${formatCount(total)})`,
    ...(shown.length === 0 ? [] : show(shown, context)),
    ...restOf(roots.slice(unfolded), folded),
  ]
}

function changesOf(roots: readonly Root[]): Change[] {
  return roots.flatMap(({ change, followers }) => [change, ...followers])
}

/** The names of changes that are not visible, and the number of those that do not fit. */
function restOf(roots: readonly Root[], folded: number): string[] {
  if (roots.length === 0) return []
  if (folded === 0) return ['', moreText(changesOf(roots))]
  const left = roots.slice(folded)
  const lines = roots.slice(0, folded).flatMap((root) => [nameLine(root), ...followerLines(root, 0)])
  const more = left.length === 0 ? [] : [`# ${moreText(changesOf(left))}`]
  return [
    '',
    `<details><summary>${moreText(changesOf(roots))}</summary>`,
    '',
    ...fence('diff', [...lines, ...more]),
    '',
    '</details>',
  ]
}

const SIGNS: { readonly [action in Action]: string } = { create: '+', update: '!', delete: '-', move: '!' }

function nameLine({ change }: Root): string {
  return `${SIGNS[change.action]} ${recordName(change)}`
}

function followerLines(root: Root, mostNamed?: number): string[] {
  const text = followersText(root, mostNamed)
  return text === null ? [] : prefixed('#   ', [text])
}

/**
 * If there are more deletes than this, each shows one line of its fields, and the number of records that are deleted
 * with it.
 */
const MOST_AT_LENGTH = 12

function deleteBlock(roots: readonly Root[], context: MarkdownContext): string[] {
  const isBrief = roots.length > MOST_AT_LENGTH
  const lines = roots.flatMap((root) => [
    ...deleteLines(withoutFollowers(root), context, isBrief),
    ...followerLines(root, isBrief ? 0 : undefined),
  ])
  return fence('diff', lines)
}

function changeItems(roots: readonly Root[], context: MarkdownContext): string[] {
  return roots.flatMap((root) => {
    const change = withoutFollowers(root)
    const text = followersText(root)
    const item = changeItem(change, changedFields(change), context, change.type)
    return text === null ? item : [...item, '', `  ${codeSpan(text)}`]
  })
}

/** The number of changes that a level of detail does not name. */
export function unnamedCount(prominent: Prominent, { unfolded, folded }: MarkdownContext['detail']): number {
  const unnamed = prominent.flatMap((roots) => roots.slice(unfolded + folded))
  return unnamed.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
}
