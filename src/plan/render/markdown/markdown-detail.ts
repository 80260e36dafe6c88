import { counted } from '../../../lib/counted.ts'
import { openGuardsOf } from '../acknowledging.ts'
import { allChanges, type Change, type Plan } from '../../plan.ts'

/**
 * How much a comment shows. Each level leaves out more than the one before: first changes that the documents show, then
 * consequences of other changes, and last changes that need a decision.
 */
export interface MarkdownDetail {
  /** From this number on, equal updates are shown as one. */
  readonly equal: number
  /** The number of changes of a type that are shown field by field. */
  readonly bodies: number
  /** Whether positions in the models are links, which are long. */
  readonly links: boolean
  /** More creations of a type than this are shown as a number. */
  readonly creates: number
  /** The number of changes of a type that are named without their fields. */
  readonly names: number
  readonly scopeTable: boolean
  readonly diagnostics: number
  /** The number of lines for holdfast.yaml. */
  readonly acknowledge: number
  /** Whether the fields, reasons and referrers of deletes are shown. */
  readonly deleteNotes: boolean
  /** Whether guards are shown on the visible changes; otherwise only their number is shown. */
  readonly guards: boolean
  /** The maximum number of visible deletes. The same limit holds for moves and for guarded changes. */
  readonly unfolded: number
  /** The maximum number of further changes that are named in a folded part. */
  readonly folded: number
}

/** Nobody reads more changes than this at once. */
const MOST_IN_SIGHT = 40

const FULL: MarkdownDetail = {
  equal: Infinity,
  bodies: Infinity,
  links: true,
  creates: Infinity,
  names: Infinity,
  scopeTable: true,
  diagnostics: Infinity,
  acknowledge: Infinity,
  deleteNotes: true,
  guards: true,
  unfolded: MOST_IN_SIGHT,
  folded: Infinity,
}

const COLLAPSED = { ...FULL, equal: 3 }
const WITHOUT_LINKS = { ...COLLAPSED, links: false }
const WITHOUT_BODIES = { ...WITHOUT_LINKS, bodies: 1_000 }
const WITHOUT_CREATES = { ...WITHOUT_BODIES, creates: 0, folded: 2_000 }
const MANY = { ...WITHOUT_CREATES, bodies: 200, names: 1_000, folded: 500 }
const SOME = { ...MANY, bodies: 50, names: 200, folded: 200 }
const FEW = { ...SOME, bodies: 15, names: 60, folded: 100 }
const NAMES = { ...FEW, bodies: 0, diagnostics: 20, scopeTable: false }
const NUMBERS = { ...NAMES, names: 0, folded: 0 }
const SHORT = { ...NUMBERS, unfolded: 12, diagnostics: 5 }
/** Shows only the names of the most important changes that fit, and the lines for holdfast.yaml. */
export const LEAST: MarkdownDetail = { ...SHORT, deleteNotes: false, diagnostics: 0, guards: false }

export const DETAILS: readonly MarkdownDetail[] = [
  FULL,
  COLLAPSED,
  WITHOUT_LINKS,
  WITHOUT_BODIES,
  WITHOUT_CREATES,
  MANY,
  SOME,
  FEW,
  NAMES,
  NUMBERS,
  SHORT,
  LEAST,
]

/** Tells whether a change comes before others, because it destroys, renames or needs a decision. */
export function isUnfolded(change: Change): boolean {
  return change.action === 'delete' || change.action === 'move' || change.guards.length > 0
}

/** The parts that a level of detail leaves out. */
export interface Missing {
  /** The number of deletes, moves and guarded changes that are not named. */
  readonly unnamed: number
  /** The number of other changes whose fields are left out. */
  readonly bodies: number
  readonly creates: number
  readonly names: number
}

/** Tells how much the comment leaves out; null if it shows everything. */
export function leftOut(plan: Plan, detail: MarkdownDetail, missing: Missing, elsewhere: string): string | null {
  const all = allChanges(plan)
  const diagnostics = plan.diagnostics.length - detail.diagnostics
  const lines = openGuardsOf(plan).length - detail.acknowledge
  const { unnamed, bodies, creates, names } = missing
  const parts = [
    unnamed > 0 ? `**${counted(unnamed, 'delete, move or guarded change', 'deletes, moves or guarded changes')}**` : '',
    bodies > 0 ? `the fields of ${counted(bodies, 'change')}` : '',
    detail.bodies > 0 || plan.drift === undefined ? '' : 'changed on the platform, not in the documents',
    creates > 0 ? `the names of ${counted(creates, 'created record')}` : '',
    names > 0 ? `the names of ${counted(names, 'updated record')}` : '',
    diagnostics > 0 ? counted(diagnostics, 'finding') : '',
    detail.deleteNotes || !plan.changes.some(isDelete) ? '' : 'the fields and references of deleted records',
    detail.guards || !all.some(({ guards }) => guards.length > 0) ? '' : 'why the guarded changes need a decision',
    lines > 0 ? counted(lines, 'line for holdfast.yaml', 'lines for holdfast.yaml') : '',
  ].filter((part) => part !== '')
  return parts.length === 0
    ? null
    : `Too long for one comment; left out: ${parts.join(', ')}. ${elsewhere} shows everything.`
}

function isDelete({ action }: Change): boolean {
  return action === 'delete'
}
