import { nameSome } from '../../lib/counted.ts'
import { outcomeOf } from '../../plan/assemble-plan.ts'
import { allChanges, type Guard, type Plan } from '../../plan/plan.ts'
import { recordName, timeText } from '../../plan/render/change-notes.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { codeSpan, sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { valueText } from '../../plan/render/value-text.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { PastApplyDetails } from '../target/target.ts'
import type { RevertedCommit } from './make-revert.ts'

// The texts of the branch and the pull request of a rollback. Texts from outside are shown as code.

/**
 * The name of the branch. It is always the same for an apply, so a second attempt finds the branch of the first one.
 */
export function revertBranch({ uuid }: Pick<PastApplyDetails, 'uuid'>): string {
  return `holdfast/rollback-${uuid.slice(0, 8)}`
}

export function revertTitle(apply: Pick<PastApplyDetails, 'uuid' | 'origin'>): string {
  const [name, pullRequest] = [`apply ${apply.uuid.slice(0, 8)}`, pullRequestOf(apply)]
  return pullRequest === null ? `Roll back ${name}` : `Roll back ${pullRequest} (${name})`
}

/**
 * The pull request of the apply, if a forge would make a link of the text; null otherwise, because the client of the
 * apply may have sent any text.
 */
function pullRequestOf({ origin }: Pick<PastApplyDetails, 'origin'>): string | null {
  return /^[#!]\d{1,9}$/.exec(origin?.pullRequest ?? '')?.[0] ?? null
}

/** Forges obey words of a commit message, such as `[skip ci]`, so the subjects of the commits are not in it. */
export function revertMessage(apply: PastApplyDetails, reverted: readonly RevertedCommit[]): string {
  const commits = reverted.map(({ commit }) => `- ${commit}`).join('\n')
  return `${revertTitle(apply)}\n\nUndoes the apply ${apply.uuid}, and reverts:\n${commits}\n`
}

interface RevertText {
  readonly apply: PastApplyDetails
  /** The present effect of the rollback on the platform. */
  readonly plan: Plan
  readonly platform: string
  readonly reverted: readonly RevertedCommit[]
  /** Records that the apply changed and the revert does not restore. */
  readonly unrestored: readonly RecordKey[]
}

const LIMIT = 60_000
const MOST_NAMED = 10
const MOST_COMMITS = 20
const LONGEST = 120

export function revertBody({ apply, plan, platform, reverted, unrestored }: RevertText): string {
  const { uuid, actor, at, origin } = apply
  const merged = origin?.actor === undefined ? '' : ` after ${shown(origin.actor)} had started it`
  const pullRequest = pullRequestOf(apply)
  const from = pullRequest === null ? '' : ` from ${pullRequest}`
  const commits = reverted
    .slice(0, MOST_COMMITS)
    .map(({ commit, subject }) => `- ${codeSpan(commit.slice(0, 12))} ${shown(subject)}`)
  const more = reverted.length - commits.length
  const head = [
    `This undoes the apply ${codeSpan(uuid)}${from}, which ${shown(actor)} made at ${timeText(at)}${merged}. It reverts:`,
    [...commits, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    ...notesOf(plan, unrestored),
    `The rollback of that apply, planned against the present platform:`,
  ].join('\n\n')
  return `${head}\n\n${fitMarkdown(withoutRollbackGuards(plan), { platform, budget: LIMIT - sizeOf(head) })}`
}

function notesOf(plan: Plan, unrestored: readonly RecordKey[]): string[] {
  const overwritten = allChanges(plan).flatMap((change) =>
    change.guards.filter(isLater).map(({ message }) => `- ${shown(recordName(change))} ${shown(message)}`),
  )
  return [
    ...(overwritten.length === 0 ? [] : [[CHANGED_AGAIN, ...overwritten.slice(0, MOST_NAMED)].join('\n')]),
    ...(unrestored.length === 0 ? [] : [unrestoredText(unrestored, shown)]),
  ]
}

const CHANGED_AGAIN = 'Somebody changed some of these records later; the revert may undo that, too:'

/**
 * Names the records that the revert does not restore. An apply may also include changes of other commits, or revert
 * changes that somebody made on the platform.
 */
export function unrestoredText(records: readonly RecordKey[], show: (name: string) => string): string {
  const names = records.map((record) => show(recordName(record)))
  return `These commits do not describe everything that the apply changed. The revert leaves as they are: ${nameSome(names, MOST_NAMED)}.`
}

/**
 * Leaves out the guards of a rollback: the owner of the types applies the pull request with its own plan, so these
 * guards do not stop it.
 */
function withoutRollbackGuards(plan: Plan): Plan {
  const own = {
    ...plan,
    scope: plan.scope.map(({ managedBy: _, ...row }) => kept(row)),
    changes: plan.changes.map(kept),
    access: { ...kept(plan.access), changes: plan.access.changes.map(kept) },
  }
  return { ...own, outcome: outcomeOf(own) }
}

function shown(text: string): string {
  return codeSpan(valueText(text, LONGEST))
}

function kept<Held extends { readonly guards: readonly Guard[] }>(held: Held): Held {
  return { ...held, guards: held.guards.filter((guard) => !isLater(guard) && guard.code !== 'takes-ownership') }
}

function isLater({ code }: Guard): boolean {
  return code === 'overwrites-later'
}
