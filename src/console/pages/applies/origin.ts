import type { JsonObject } from '../../../lib/json.ts'
import type { SourcePosition } from '../../../lib/diagnostic.ts'
import { html, type Html } from '../../../server/html.ts'

/** The origin of an apply, as the client described it. */
export interface Origin {
  readonly commit: string | null
  readonly repository: string | null
  readonly ref: string | null
  readonly rollbackOf: string | null
  /** The origin in a few words. */
  readonly label: string
}

export function originOf(origin: JsonObject): Origin {
  const text = (name: string) => (typeof origin[name] === 'string' ? origin[name] : null)
  const [commit, repository, ref, rollbackOf] = ['commit', 'repository', 'ref', 'rollbackOf'].map(text)
  const label = rollbackOf != null ? 'roll-back' : (ref?.replace(/^refs\/(?:heads\/)?/, '') ?? 'by hand')
  return {
    commit: commit ?? null,
    repository: repository ?? null,
    ref: ref ?? null,
    rollbackOf: rollbackOf ?? null,
    label,
  }
}

/** `OWNER/NAME`, as GitHub Actions name a repository, or the address of a GitHub remote. */
const REPOSITORY = /^(?:(?:https:\/\/|ssh:\/\/git@|git@)github\.com[/:])?([\w-]+\/[\w.-]+?)(?:\.git)?\/?$/
/** A commit. If files had uncommitted changes, it ends with `-dirty` and has no link, as GitHub lacks it. */
const COMMIT = /^[0-9a-f]{7,64}$/

/** The address of the repository at GitHub; null if it is elsewhere. */
function gitHubOf({ repository }: Pick<Origin, 'repository'>): string | null {
  const name = REPOSITORY.exec(repository ?? '')?.[1]
  return name === undefined ? null : `https://github.com/${name}`
}

/** The repository, with a link if it is at GitHub. */
export function repositoryLink(origin: Pick<Origin, 'repository'>): Html | string | null {
  const address = gitHubOf(origin)
  if (address === null) return origin.repository
  return html`<a href="${address}">${address.slice('https://github.com/'.length)}</a>`
}

/** The commit, with a link if the repository is at GitHub. */
export function commitLink(origin: Pick<Origin, 'commit' | 'repository'>): Html | null {
  const { commit } = origin
  if (commit === null) return null
  const short = html`<code>${shortCommit(commit)}</code>`
  const address = gitHubOf(origin)
  return address === null || !COMMIT.test(commit) ? short : html`<a href="${address}/commit/${commit}">${short}</a>`
}

export function shortCommit(commit: string): string {
  return COMMIT.test(commit.replace(/-dirty$/, '')) ? commit.replace(/^(.{7})[0-9a-f]*/, '$1') : commit
}

const PULL_REQUEST = /^refs\/pull\/(\d{1,9})\//

/** The pull request that an apply was made for; null if its ref names none. */
export function pullRequestLink(origin: Origin): Html | null {
  const number = PULL_REQUEST.exec(origin.ref ?? '')?.[1]
  if (number === undefined) return null
  const address = gitHubOf(origin)
  return address === null ? html`#${number}` : html`<a href="${address}/pull/${number}">#${number}</a>`
}

/** `models/heating.yaml:8:5`, with a link to the line in that commit. */
export function sourceLink(
  { file, line, column }: SourcePosition,
  origin: Pick<Origin, 'commit' | 'repository'>,
  form: 'whole' | 'short' = 'whole',
): Html {
  const text =
    form === 'whole'
      ? html`<code>${file}:${line}:${column}</code>`
      : html`<code title="${file}:${line}:${column}">${file.slice(file.lastIndexOf('/') + 1)}:${line}</code>`
  const address = gitHubOf(origin)
  const { commit } = origin
  if (address === null || commit === null || !COMMIT.test(commit) || isOutside(file)) return text
  const path = file.split('/').map((name) => encodeURIComponent(name.toWellFormed()))
  return html`<a href="${address}/blob/${commit}/${path.join('/')}#L${line}">${text}</a>`
}

function isOutside(file: string): boolean {
  return file.startsWith('/') || file.split('/').includes('..')
}
