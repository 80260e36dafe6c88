import type { Plan } from '../../plan/plan.ts'
import { differenceBlock, effectsOf } from '../../plan/render/markdown/comment-effects.ts'
import { renderFailure } from '../../plan/render/markdown/comment-failure.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { codeSpan, sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { sameDigest, summaryLink, withFooter } from './comment-frame.ts'
import { detailsOf, findingsIn, headingOf, messageOf, type JobReport } from './job-report.ts'
import { unpackEffects } from './packed-effects.ts'
import { ownComments, type Content, type OwnComment } from './sticky-comment.ts'

// In a merge queue, the plan is made again, on top of the earlier pull requests in the queue. If it agrees with the
// reviewed plan, no comment is needed.

const LEAST_FOR_DIFFERENCE = 20_000

/** The comment on a plan in the queue; null if no comment is needed. */
export async function queueContent(report: JobReport, plan: Plan, whole: Content): Promise<Content | null> {
  const { job } = report
  const { reviewed, earlier } = await commentsOf(report)
  if (reviewed?.marker.digest === plan.digest) {
    if (earlier === undefined) return null
    return ({ limit }) => withFooter(job, limit, () => `### In the merge queue · ${sameDigest(plan.digest)}`)
  }
  const title = '### In the merge queue the plan is another one than in the pull request'
  return headed(() => [title, ...difference(reviewed, plan)], [title], whole)
}

/** The comment on a pull request that the queue sends back, with the reason and what to do about it. */
export async function refusalContent(report: JobReport, plan: Plan, error: unknown): Promise<Content> {
  const { job, sourceLink } = report
  const { reviewed } = await commentsOf(report)
  const failure = {
    ...headingOf(report),
    headline: 'Refused in the merge queue',
    message: [messageOf(error), ...detailsOf(error)].join('\n'),
    diagnostics: findingsIn(error),
    notes: ['**Nothing was merged, and nothing was changed on the platform.**'],
    advice: [
      'Bring the branch of the pull request up to date with the branch that it is to be merged into: that starts a new plan.',
      'Review that plan, and add the pull request to the queue again.',
    ],
    difference: difference(reviewed, plan),
  }
  return ({ limit }) =>
    withFooter(job, limit, (room) => {
      const said = `${renderFailure(failure, room / 2, sourceLink)}\n#### The plan behind the queue\n\n`
      const budget = room - sizeOf(said)
      return `${said}${fitMarkdown(plan, { ...headingOf(report), budget, sourceLink, elsewhere: summaryLink(job) })}`
    })
}

/** The comment on a pull request whose reviewed plan is still valid, although the plan of the queue contains more. */
export function agreementContent({ job, platform }: JobReport): Content {
  return ({ limit }) =>
    withFooter(
      job,
      limit,
      () =>
        `### In the merge queue · the reviewed plan still holds on ${codeSpan(platform)}\n\nThe plan also contains changes of other pull requests; their own runs apply them.`,
    )
}

async function commentsOf({ job: { event }, platform, models, pullRequest }: JobReport): Promise<{
  readonly reviewed: OwnComment | undefined
  readonly earlier: OwnComment | undefined
}> {
  if (event.kind !== 'queue') return { reviewed: undefined, earlier: undefined }
  const place = await pullRequest(event.number)
  const [reviewed] = await ownComments(place, { kind: 'plan', platform, models })
  const [earlier] = await ownComments(place, { kind: 'queue', platform, models })
  return { reviewed, earlier }
}

function difference(reviewed: OwnComment | undefined, plan: Plan): readonly string[] {
  const before = unpackEffects(reviewed?.marker.changes)
  return before === null ? [] : ['', ...differenceBlock(before, effectsOf(plan))]
}

function headed(head: () => readonly string[], short: readonly string[], whole: Content): Content {
  return (situation) => {
    const lines = situation.limit > LEAST_FOR_DIFFERENCE ? head() : short
    const text = `${lines.join('\n')}\n\n`
    return `${text}${whole({ ...situation, limit: situation.limit - sizeOf(text) })}`
  }
}
