import { counted } from '../../../lib/counted.ts'
import { openGuards } from '../verdict.ts'
import { allChanges, allRows, type Change, type Plan } from '../../plan.ts'

/**
 * How much a comment shows. Each level leaves out more than the one before, and destructive changes are left out
 * last.
 */
export interface MarkdownDetail {
  /** From this number on, equal updates are shown as one. */
  readonly equal: number
  /** Whether changes are shown field by field. */
  readonly bodies: boolean
  /** Whether positions in the models are links, which are long. */
  readonly links: boolean
  /** More creations of a type than this are shown as a number. */
  readonly creates: number
  /** Whether the records in the folded part are named; otherwise only numbers are shown. */
  readonly records: boolean
  readonly scopeTable: boolean
  readonly diagnostics: number
  /** Whether the lines for holdfast.yaml are shown. */
  readonly acknowledge: boolean
  /** Whether the fields, reasons and referrers of deletes are shown. */
  readonly deleteNotes: boolean
  /** Whether guards are shown on the changes that are never folded; otherwise only their number is. */
  readonly guards: boolean
  /** The number of changes that are shown of those that are never folded, deletes first. */
  readonly unfolded: number
}

const FULL: MarkdownDetail = {
  equal: Infinity,
  bodies: true,
  links: true,
  creates: Infinity,
  records: true,
  scopeTable: true,
  diagnostics: Infinity,
  acknowledge: true,
  deleteNotes: true,
  guards: true,
  unfolded: Infinity,
}

const COLLAPSED = { ...FULL, equal: 3 }
const WITHOUT_BODIES = { ...COLLAPSED, bodies: false }
const WITHOUT_LINKS = { ...WITHOUT_BODIES, links: false }
const WITHOUT_CREATES = { ...WITHOUT_LINKS, creates: 0 }
const NUMBERS = { ...WITHOUT_CREATES, records: false, scopeTable: false, diagnostics: 20 }
const SHORT = { ...NUMBERS, acknowledge: false, diagnostics: 5 }
const WITHOUT_NOTES = { ...SHORT, deleteNotes: false }
/** Shows only the names of destructive changes, and the number of those that do not fit. */
export const LEAST: MarkdownDetail = { ...WITHOUT_NOTES, diagnostics: 0, guards: false }

export const DETAILS: readonly MarkdownDetail[] = [
  FULL,
  COLLAPSED,
  WITHOUT_BODIES,
  WITHOUT_LINKS,
  WITHOUT_CREATES,
  NUMBERS,
  SHORT,
  WITHOUT_NOTES,
  LEAST,
]

/** Tells whether a change is never folded, because it destroys, renames or needs a decision. */
export function isUnfolded(change: Change): boolean {
  return change.action === 'delete' || change.action === 'move' || change.guards.length > 0
}

/** Says what the comment leaves out; null where it shows everything. */
export function leftOut(plan: Plan, detail: MarkdownDetail, elsewhere: string): string | null {
  const { changes } = plan
  const all = allChanges(plan)
  const unfolded = changes.filter(isUnfolded)
  const folded = changes.length - unfolded.length
  const creates = changes.filter((change) => change.action === 'create' && !isUnfolded(change)).length
  const diagnostics = plan.diagnostics.length - detail.diagnostics
  const parts = [
    unfolded.length > detail.unfolded
      ? `**${counted(unfolded.length - detail.unfolded, 'delete, move or guarded change', 'deletes, moves or guarded changes')}**`
      : '',
    detail.bodies || changes.every(isDelete) ? '' : 'what the changes do field by field',
    detail.bodies || plan.drift === undefined ? '' : 'what was changed on the platform, not in the documents',
    detail.records && creates > detail.creates ? `the names of ${counted(creates, 'created record')}` : '',
    !detail.records && folded > 0 ? `the names of ${counted(folded, 'created or updated record')}` : '',
    diagnostics > 0 ? counted(diagnostics, 'finding') : '',
    detail.deleteNotes || !changes.some(isDelete) ? '' : 'the fields and references of deleted records',
    detail.guards || !all.some(({ guards }) => guards.length > 0) ? '' : 'why the guarded changes need a decision',
    detail.acknowledge || [...all, ...allRows(plan)].flatMap(openGuards).length === 0
      ? ''
      : 'the lines for holdfast.yaml',
  ].filter((part) => part !== '')
  return parts.length === 0
    ? null
    : `Too long for one comment; left out: ${parts.join(', ')}. ${elsewhere} shows everything.`
}

export function isDelete({ action }: Change): boolean {
  return action === 'delete'
}
