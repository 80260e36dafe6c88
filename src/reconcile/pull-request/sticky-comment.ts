import type { Io } from '../../shell/io.ts'
import type { GitHub } from './github.ts'
import type { Job, RunNumber } from './job.ts'
import { markerLine, readMarker, type Marker } from './marker.ts'
import { hasStatus, isTooLong, waitBefore } from './trouble.ts'

/** A comment of ours on a pull request. */
export interface OwnComment {
  readonly id: number
  readonly url: string
  readonly marker: Marker
}

/** What a comment is to say. `limit` is in bytes; `newerHead` is where the pull request is by now, if not at our commit. */
export type Content = (situation: { readonly limit: number; readonly newerHead: string | null }) => string

export interface Kept {
  readonly url: string
  /** The run whose plan the comment shows instead, because it is newer. */
  readonly newerRun: RunNumber | null
}

export interface Place {
  readonly github: GitHub
  readonly job: Job
  readonly number: number
  readonly io: Pick<Io, 'now' | 'wait'>
}

/** As much as fits everywhere, and what is tried where that is still too much. */
const LIMITS = [65_536, 32_768, 8_192] as const
const MOST_ROUNDS = 12
const MOST_WAITS = 4
const LONGEST_WAIT = 120

/**
 * Keeps one comment of a kind and platform on a pull request, however many runs do so at the same time. Each run
 * writes, looks again, and ends only when what is there agrees with it: the oldest comment holds the newest plan, and
 * there is no other. Who meets a newer plan leaves it as it is.
 *
 * GitHub changes a comment unconditionally. So an older run may still write over a newer plan where it looked before
 * that was there and writes after; if the pull request has moved on, it then says at least that it is out of date.
 * The concurrency group of the workflow keeps two runs of one pull request apart.
 */
export async function keepComment(place: Place, marker: Marker, content: Content): Promise<Kept> {
  const done: Done = { made: new Set(), written: null }
  let [size, waits] = [0, 0]
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    try {
      const bodyFor = (newerHead: string | null) => withMarker(content, marker, LIMITS[size] ?? LIMITS[0], newerHead)
      const kept = await settle(place, marker, bodyFor, done)
      if (kept !== null) return kept
    } catch (error) {
      if (isTooLong(error) && size < LIMITS.length - 1) size += 1
      else {
        waits += 1
        await waitAfter(error, waits, place.io)
      }
    }
  }
  throw new Error('the comment does not come to rest')
}

/** What this run did so far. */
interface Done {
  readonly made: Set<number>
  written: string | null
}

async function waitAfter(error: unknown, waits: number, io: Place['io']): Promise<void> {
  const seconds = waitBefore(error, io.now())
  if (seconds === null || seconds > LONGEST_WAIT || waits > MOST_WAITS) throw error
  await io.wait(seconds * 1_000)
}

function withMarker(content: Content, marker: Marker, limit: number, newerHead: string | null): string {
  const line = markerLine(marker)
  return `${content({ limit: limit - line.length - 2, newerHead }).trimEnd()}\n\n${line}`
}

/** One round: null where something had to be done, so that it is worth another look. */
async function settle(
  place: Place,
  marker: Marker,
  bodyFor: (newerHead: string | null) => string,
  done: Done,
): Promise<Kept | null> {
  const head = await headOf(place)
  const [first, ...others] = await ownComments(place, marker)
  const body = bodyFor(head === marker.commit ? null : head)
  if (first === undefined) {
    // A list may lag behind: what was made a moment ago is not made again.
    if (done.made.size > 0) await place.io.wait(1_000)
    else done.made.add(await createComment(place, (done.written = body)))
    return null
  }
  const surplus = others.filter(({ id, marker: theirs }) => done.made.has(id) || !isNewer(theirs, marker, head))
  if (isNewer(first.marker, marker, head)) {
    await removeComments(place, surplus)
    return { url: first.url, newerRun: first.marker.run }
  }
  // By who wrote it, not by its text: GitHub may keep a text in another form than it was sent in.
  const isRight = done.written === body && isSameRun(first.marker, marker)
  // The write comes before the removals: at no time is the newest plan shown nowhere.
  if (!isRight) await updateComment(place, first.id, (done.written = body))
  await removeComments(place, surplus)
  return isRight && surplus.length === 0 ? { url: first.url, newerRun: null } : null
}

/** Whoever planned the head of the pull request is newer than who did not; else the later run is. */
function isNewer(theirs: Marker, mine: Marker, head: string | null): boolean {
  if (theirs.commit !== mine.commit && (theirs.commit === head || mine.commit === head)) return theirs.commit === head
  return theirs.run.id > mine.run.id || (theirs.run.id === mine.run.id && theirs.run.attempt > mine.run.attempt)
}

function isSameRun({ run: a }: Marker, { run: b }: Marker): boolean {
  return a.id === b.id && a.attempt === b.attempt
}

/** Our own comments of this kind for this platform, the oldest first. Somebody else's marker counts for nothing. */
export async function ownComments(
  { github, job: { owner, repo }, number }: Place,
  { kind, platform }: Pick<Marker, 'kind' | 'platform'>,
): Promise<OwnComment[]> {
  const login = await github.ownLogin()
  const all = await github.paginate(github.rest.issues.listComments, {
    owner,
    repo,
    issue_number: number,
    per_page: 100,
  })
  return all
    .filter(({ user }) => user?.login === login)
    .flatMap(({ id, html_url: url, body = '' }) => {
      const marker = readMarker(body)
      return marker?.kind === kind && marker.platform === platform ? [{ id, url, marker }] : []
    })
    .toSorted((a, b) => a.id - b.id)
}

/** Null for what has no pull request's head, such as the group of a merge queue. */
async function headOf({ github, job, number }: Place): Promise<string | null> {
  if (job.event.kind !== 'pull-request') return null
  const { data } = await github.rest.pulls.get({ owner: job.owner, repo: job.repo, pull_number: number })
  return data.head.sha
}

async function createComment({ github, job: { owner, repo }, number }: Place, body: string): Promise<number> {
  const { data } = await github.rest.issues.createComment({ owner, repo, issue_number: number, body })
  return data.id
}

async function updateComment({ github, job: { owner, repo } }: Place, id: number, body: string): Promise<void> {
  // Gone meanwhile: the next round sees it.
  await github.rest.issues.updateComment({ owner, repo, comment_id: id, body }).catch(unlessGone)
}

async function removeComments({ github, job: { owner, repo } }: Place, comments: readonly OwnComment[]): Promise<void> {
  for (const { id } of comments) {
    await github.rest.issues.deleteComment({ owner, repo, comment_id: id }).catch(unlessGone)
  }
}

function unlessGone(error: unknown): void {
  if (!hasStatus(error, 404)) throw error
}
