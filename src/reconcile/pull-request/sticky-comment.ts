import type { Io } from '../../shell/io.ts'
import type { Forge } from '../forge/forge.ts'
import type { Job, RunNumber } from '../forge/job.ts'
import { markerLine, readMarker, type Marker } from './marker.ts'
import { hasStatus, isTooLong, LONGEST_WAIT, waitBefore } from '../forge/refusals.ts'

/** A comment of ours on a pull request. */
export interface OwnComment {
  readonly id: number
  readonly url: string
  readonly marker: Marker
}

/**
 * Renders a comment. `limit` is in bytes, and `newerHead` is the head of the pull request if that is no longer our
 * commit.
 */
export type Content = (situation: { readonly limit: number; readonly newerHead: string | null }) => string

export interface Kept {
  readonly url: string
  /** The newer run whose plan the comment shows instead. */
  readonly newerRun: RunNumber | null
}

export interface PullRequest {
  readonly forge: Forge
  readonly job: Job
  readonly number: number
  readonly io: Pick<Io, 'now' | 'wait'>
}

/** The first size fits in most cases. The smaller sizes are tried if the forge refuses the first. */
const LIMITS = [65_536, 32_768, 8_192] as const
const MOST_ROUNDS = 12
const MOST_WAITS = 4

/**
 * Keeps one comment for each kind, platform and directory of models on a pull request, even when several runs do so at
 * the same time. Each run writes, looks again, and ends only when the comments agree with it: the oldest comment shows
 * the newest plan, and there is no other comment. A run that finds a newer plan leaves it as it is. A forge changes a
 * comment unconditionally. So an older run may overwrite a newer plan if it looked before the newer run wrote. If the
 * pull request has moved on, that comment at least says that it is out of date. The concurrency group of the workflow
 * keeps two runs of one pull request apart.
 */
export async function keepComment(pullRequest: PullRequest, marker: Marker, content: Content): Promise<Kept> {
  const done: Done = { made: new Set(), written: null }
  let [size, waits] = [0, 0]
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    try {
      const bodyFor = (newerHead: string | null) => withMarker(content, marker, LIMITS[size] ?? LIMITS[0], newerHead)
      const kept = await settle(pullRequest, marker, bodyFor, done)
      if (kept !== null) return kept
    } catch (error) {
      if (isTooLong(error) && size < LIMITS.length - 1) size += 1
      else {
        waits += 1
        await waitAfter(error, waits, pullRequest.io)
      }
    }
  }
  throw new Error('other runs changed the comment again and again')
}

/** The steps that this run has completed. */
interface Done {
  readonly made: Set<number>
  written: string | null
}

async function waitAfter(error: unknown, waits: number, io: PullRequest['io']): Promise<void> {
  const seconds = waitBefore(error, io.now())
  if (seconds === null || seconds > LONGEST_WAIT || waits > MOST_WAITS) throw error
  await io.wait(seconds * 1_000)
}

function withMarker(content: Content, marker: Marker, limit: number, newerHead: string | null): string {
  const { changes: _, ...brief } = marker
  // The smallest comment has no room for the effects.
  const line = markerLine(limit === LIMITS[2] ? brief : marker)
  return `${content({ limit: limit - line.length - 2, newerHead }).trimEnd()}\n\n${line}`
}

/** Makes one round. The result is null if something had to be changed, so that another round must check it. */
async function settle(
  pullRequest: PullRequest,
  marker: Marker,
  bodyFor: (newerHead: string | null) => string,
  done: Done,
): Promise<Kept | null> {
  const head = await headOf(pullRequest)
  const [first, ...others] = await ownComments(pullRequest, marker)
  const body = bodyFor(head === marker.commit ? null : head)
  if (first === undefined) {
    // A list may lag behind, so a comment that was just created is not created again.
    if (done.made.size > 0) await pullRequest.io.wait(1_000)
    else done.made.add(await pullRequest.forge.createComment(pullRequest.number, (done.written = body)))
    return null
  }
  const surplus = others.filter(({ id, marker: theirs }) => done.made.has(id) || !isNewer(theirs, marker, head))
  if (isNewer(first.marker, marker, head)) {
    await removeComments(pullRequest, surplus)
    return { url: first.url, newerRun: first.marker.run }
  }
  // The comment is recognised by the run that wrote it, because a forge may change the text when it stores it.
  const isRight = done.written === body && isSameRun(first.marker, marker)
  // The update comes before the removals, so that the newest plan is visible at all times.
  if (!isRight) await updateComment(pullRequest, first.id, (done.written = body))
  await removeComments(pullRequest, surplus)
  return isRight && surplus.length === 0 ? { url: first.url, newerRun: null } : null
}

/** An applied pull request is not planned again. A plan of its head is the newest; otherwise the later run is. */
function isNewer(theirs: Marker, mine: Marker, head: string | null): boolean {
  if (theirs.applied !== mine.applied) return theirs.applied !== undefined
  if (theirs.commit !== mine.commit && (theirs.commit === head || mine.commit === head)) return theirs.commit === head
  return theirs.run.id > mine.run.id || (theirs.run.id === mine.run.id && theirs.run.attempt > mine.run.attempt)
}

function isSameRun({ run: a }: Marker, { run: b }: Marker): boolean {
  return a.id === b.id && a.attempt === b.attempt
}

/** Our own comments of this kind for this platform, the oldest first. Markers that others wrote are ignored. */
export async function ownComments(
  { forge, number }: PullRequest,
  { kind, platform, models }: Pick<Marker, 'kind' | 'platform' | 'models'>,
): Promise<OwnComment[]> {
  const all = await forge.ownComments(number)
  return all.flatMap(({ id, url, body }) => {
    const marker = readMarker(body)
    const isOurs = marker?.kind === kind && marker.platform === platform && marker.models === models
    return isOurs ? [{ id, url, marker }] : []
  })
}

/** The head of the pull request; null if there is none, as for the group of a merge queue. */
async function headOf({ forge, job, number }: PullRequest): Promise<string | null> {
  return job.event.kind === 'pull-request' ? forge.headOf(number) : null
}

async function updateComment({ forge, number }: PullRequest, id: number, body: string): Promise<void> {
  // A comment that was deleted in the meantime is noticed in the next round.
  await forge.updateComment(number, id, body).catch(unlessGone)
}

async function removeComments({ forge, number }: PullRequest, comments: readonly OwnComment[]): Promise<void> {
  for (const { id } of comments) await forge.deleteComment(number, id).catch(unlessGone)
}

function unlessGone(error: unknown): void {
  if (!hasStatus(error, 404)) throw error
}
