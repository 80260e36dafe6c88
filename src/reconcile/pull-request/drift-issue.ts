import { HoldfastError } from '../../lib/errors.ts'
import { counted } from '../../lib/counted.ts'
import { allChanges, allRows, type Change, type Plan } from '../../plan/plan.ts'
import { driftCounts } from '../../plan/render/field-drift-text.ts'
import { codeSpan } from '../../plan/render/markdown/markdown-text.ts'
import { notComparedText } from '../../plan/render/not-compared-text.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { RUN_BY_HAND } from './apply-advice.ts'
import { footer, summaryLink, withFooter } from './comment-frame.ts'
import { headingOf, type JobReport } from './job-report.ts'
import { markerLine, readMarker, type Marker } from './marker.ts'
import { LONGEST_WAIT, troubleText, waitBefore } from '../forge/refusals.ts'

/** The label by which the issue is found. */
const DRIFT_LABEL = 'holdfast-drift'
const LIMIT = 65_536
const MOST_TRIES = 4
const MOST_NAMED = 5

interface OwnIssue {
  readonly number: number
  readonly url: string
  readonly isOpen: boolean
  readonly marker: Marker
}

/**
 * Keeps one issue for each platform and directory of models: open while the platform differs from the models, and
 * closed otherwise. Nobody watches this run, so it fails if the forge cannot be updated.
 */
export async function keepIssue(report: JobReport, everything: Plan): Promise<void> {
  const plan = onlyDrift(everything)
  sayWaiting(allChanges(everything).length - allChanges(plan).length, report)
  for (let tries = 1; ; tries += 1) {
    try {
      const url = isAsTheModelsSay(plan) ? await closeIssue(report, plan) : await openIssue(report, plan)
      if (url !== null) report.io.stderr.write(`The drift is in ${url}.\n`)
      return
    } catch (error) {
      const seconds = waitBefore(error, report.io.now())
      if (report.io.signal.aborted) throw error
      if (seconds === null || seconds > LONGEST_WAIT || tries === MOST_TRIES) throw unreported(error, report)
      await report.io.wait(seconds * 1_000)
    }
  }
}

/**
 * The part of a plan about changes that somebody made on the platform. Later changes of the models do not belong to it:
 * they are merged and wait for their own apply. Drift in the types of another owner belongs to that owner's job.
 */
function onlyDrift({ breaks: _, ...plan }: Plan): Plan {
  const foreign = new Set(allRows(plan).flatMap(({ type, managedBy }) => (managedBy === undefined ? [] : [type])))
  const isOwnDrift = (change: Change) => isDrift(change) && !foreign.has(change.type)
  const [changes, grants] = [plan.changes.filter(isOwnDrift), plan.access.changes.filter(isOwnDrift)]
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const counts = { create: count('create'), update: count('update'), delete: count('delete'), move: count('move') }
  const drifted = changes.length + grants.length
  return {
    ...plan,
    changes,
    access: { ...plan.access, changes: grants },
    summary: { ...plan.summary, ...counts },
    outcome: drifted === 0 ? 'no-changes' : plan.outcome === 'no-changes' ? 'changes' : plan.outcome,
  }
}

function isDrift({ cause }: Change): boolean {
  return cause !== 'you'
}

/** Drift in fields that the models do not name counts too, because the models do not know about it. */
function isAsTheModelsSay({ outcome, drift }: Plan): boolean {
  return outcome === 'no-changes' && drift === undefined
}

function sayWaiting(count: number, { io, job }: JobReport): void {
  if (count === 0) return
  io.stderr.write(
    `${counted(count, 'change')} of the models ${count === 1 ? 'waits' : 'wait'} to be applied, which is no drift. To apply ${count === 1 ? 'it' : 'them'}, ${RUN_BY_HAND[job.forge]}.\n`,
  )
}

function unreported(error: unknown, { job, io }: JobReport): HoldfastError {
  const reason = troubleText(error, job, 'issues: write', io.now())
  return new HoldfastError('UNAVAILABLE', `the issue about drift is not up to date: ${reason}`, { cause: error })
}

/** Opens the oldest issue again, so that one issue has the whole history of the drift. */
async function openIssue(report: JobReport, plan: Plan): Promise<string> {
  const forge = await report.forge()
  const [first, ...others] = await ownIssues(report)
  const text = issueText(report, plan)
  if (first === undefined) {
    const made = await forge.createIssue(DRIFT_LABEL, text)
    const [oldest = made] = await ownIssues(report)
    if (oldest.number !== made.number) await forge.updateIssue(made.number, SURPLUS)
    return oldest.url
  }
  for (const { number, isOpen } of others) if (isOpen) await forge.updateIssue(number, SURPLUS)
  if (first.marker.run.id > report.job.run.id) return first.url
  await forge.updateIssue(first.number, { state: 'open', ...text })
  return first.url
}

/** Another run created an issue at the same time. */
const SURPLUS = { state: { closed: 'surplus' } } as const

async function closeIssue(report: JobReport, plan: Plan): Promise<null> {
  const forge = await report.forge()
  for (const { number, isOpen, marker } of await ownIssues(report)) {
    if (!isOpen || marker.run.id > report.job.run.id) continue
    const body = [
      '### No drift any more',
      closingText(report, plan),
      footer(report.job),
      markerLine(markerOf(report, plan)),
    ].join('\n\n')
    await forge.updateIssue(number, {
      state: { closed: 'done' },
      title: `No drift any more: ${placeOf(report)}`,
      body,
    })
  }
  return null
}

/**
 * The text of a closed issue. The job that looks for drift has no secrets, so the text does not claim that the secrets
 * agree with the models.
 */
function closingText({ platform }: JobReport, plan: Plan): string {
  const unknown = notComparedText(plan, { most: MOST_NAMED, showName: codeSpan })
  const verdict =
    unknown === null
      ? `The platform ${codeSpan(platform)} is as the models say.`
      : `Nothing was found on the platform ${codeSpan(platform)} that differs from the models. ${unknown}`
  return `${verdict} This issue is opened again when it is not.`
}

async function ownIssues(report: JobReport): Promise<OwnIssue[]> {
  const all = await (await report.forge()).ownIssues(DRIFT_LABEL)
  return all.flatMap(({ body, ...issue }) => {
    const marker = readMarker(body)
    const isOurs = marker?.kind === 'drift' && marker.platform === report.platform && marker.models === report.models
    return isOurs ? [{ ...issue, marker }] : []
  })
}

/** The platform for the title of an issue, with the models if there may be several. */
function placeOf(report: JobReport): string {
  const { platform, title } = headingOf(report)
  return title === undefined ? platform : `${platform} (${title})`
}

function issueText(report: JobReport, plan: Plan): { title: string; body: string } {
  const { job, sourceLink } = report
  const marker = markerLine(markerOf(report, plan))
  const isBelow = plan.outcome === 'no-changes'
  const notes = [
    isBelow
      ? 'The models of this commit do not name the changed fields. Add them to the models (`holdfast adopt` writes them there), or change them back.'
      : 'The platform differs from the models of this commit. Add the change to the models (`holdfast adopt` writes it there), or let the next apply revert it.',
  ]
  const body = withFooter(job, LIMIT - marker.length - 2, (budget) =>
    fitMarkdown(plan, { ...headingOf(report), budget, sourceLink, notes, elsewhere: summaryLink(job) }),
  )
  return {
    title: isBelow ? belowTitle(plan, placeOf(report)) : driftTitle(plan, placeOf(report)),
    body: `${body}\n\n${marker}`,
  }
}

function driftTitle(plan: Plan, place: string): string {
  const drifted = allChanges(plan).length
  return `Drift: ${counted(drifted, 'record')} of ${place} ${drifted === 1 ? 'is' : 'are'} not as the models say`
}

function belowTitle(plan: Plan, place: string): string {
  return `Drift on ${place}: somebody changed ${driftCounts(plan)} that the models do not name`
}

function markerOf({ job, platform, models }: JobReport, { digest }: Plan): Marker {
  return { kind: 'drift', platform, models, commit: job.commit, run: job.run, digest }
}
