import { codeLink, codeSpan } from '../../plan/render/markdown/markdown-text.ts'
import type { Job } from '../forge/job.ts'

// These texts surround a plan in a comment. They are our own markdown, and nothing in them comes from a pull request.

/** A link to everything that a comment leaves out. */
export function summaryLink({ runUrl }: Job): string {
  return `The [summary of this run](${runUrl})`
}

function commitLink({ pages }: Job, commit: string): string {
  return codeLink(commit.slice(0, 7), `${pages.commit}${encodeURIComponent(commit)}`)
}

/** The last visible line of a comment. */
export function footer(job: Job): string {
  const { id, attempt } = job.run
  const times = attempt > 1 ? `, attempt ${attempt}` : ''
  return `Models of ${commitLink(job, job.commit)} · [run ${id}](${job.runUrl})${times}`
}

export function staleNote(job: Job, newerHead: string | null): string[] {
  if (newerHead === null) return []
  return [
    `**Not the latest commit**: this is about ${commitLink(job, job.commit)}, and the pull request is at ${commitLink(job, newerHead)} by now.`,
  ]
}

/** Renders a text with a footer, which reduces the limit for the text. */
export function withFooter(job: Job, limit: number, render: (limit: number) => string): string {
  const last = footer(job)
  return `${render(limit - Buffer.byteLength(last) - 2).trimEnd()}\n\n${last}`
}

export function sameDigest(digest: string): string {
  return `The plan is the reviewed one: digest ${codeSpan(digest)}`
}
