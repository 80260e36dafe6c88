import { resolve } from 'node:path'
import type { Plan } from '../../plan/plan.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { Io } from '../../shell/io.ts'
import { gitIn, runGit, type Git, type GitPlace } from './git.ts'
import { modelsIn } from './models.ts'

// People know a change by its pull request, and a plan knows it by its records. Git tells which commit of a branch
// last changed a record. The message of that commit names the pull request that it merged.

type Place = Pick<Io, 'cwd' | 'env'>

/** Adds to the waiting changes the pull requests that brought them to the base, if its newest commits name them. */
export async function withPullRequests(
  plan: Plan,
  base: string | undefined,
  directory: string,
  io: Place,
): Promise<Plan> {
  const { own } = plan
  if (own === undefined || !base) return plan
  const records = [...own.waitsFor, ...own.waiting.records]
  if (records.length === 0) return plan
  const known = await pullRequestsOf(new Set(records.map(recordId)), base, directory, io)
  const named = <Row extends RecordKey>(row: Row): Row => {
    const pullRequest = known.get(recordId(row))
    return pullRequest === undefined ? row : { ...row, pullRequest }
  }
  const { waiting, waitsFor } = own
  return {
    ...plan,
    own: { ...own, waitsFor: waitsFor.map(named), waiting: { ...waiting, records: waiting.records.map(named) } },
  }
}

/** The search for pull requests ends after this number of commits. */
const MOST_COMMITS = 30
/** The search also ends at a commit that changes more files. */
const MOST_FILES = 500
/** The search ends after reading this many bytes. Each commit of one large file has all its records twice. */
const MOST_BYTES = 32 * 1024 * 1024

interface Count {
  bytes: number
}

/** The pull requests that last changed records of a branch, by `type/key`. */
async function pullRequestsOf(
  records: ReadonlySet<string>,
  branch: string,
  directory: string,
  io: Place,
): Promise<ReadonlyMap<string, string>> {
  const [found, open] = [new Map<string, string>(), new Set(records)]
  const git = gitIn(resolve(io.cwd, directory), io.env)
  const read: Count = { bytes: 0 }
  for (const { commit, parent, message } of await commitsOf(branch, git)) {
    // A shallow clone may end here. Then the changes of the commit are not known.
    const isOver = open.size === 0 || parent === '' || read.bytes > MOST_BYTES
    const changed = isOver ? null : await changedRecords(parent, commit, directory, io, read)
    if (changed === null) break
    const name = pullRequestIn(message)
    for (const id of changed) if (open.delete(id) && name !== null) found.set(id, name)
  }
  return found
}

interface Commit {
  readonly commit: string
  /** The commit before this one; empty if this clone does not have it. */
  readonly parent: string
  readonly message: string
}

/** The commits of the branch itself that changed the models, the newest first. */
async function commitsOf(branch: string, git: Git): Promise<readonly Commit[]> {
  const words = [
    'log',
    '--first-parent',
    `--max-count=${MOST_COMMITS}`,
    '--format=%H%x00%P%x00%B%x00',
    '--end-of-options',
  ]
  const fields = ((await git([...words, branch, '--', '.'])) ?? '').split('\0')
  const commits: Commit[] = []
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [commit = '', parents = '', message = ''] = fields.slice(at, at + 3)
    commits.push({ commit: commit.trim(), parent: parents.split(' ')[0] ?? '', message })
  }
  return commits
}

const NAMES = [
  /^Merge pull request (?<number>#\d+)\b/,
  /^Merge pull request '.*' \((?<number>#\d+)\)/,
  /\((?<number>#\d+)\)$/,
  /\(pull request (?<number>#\d+)\)$/,
]
const OF_GITLAB = /^See merge request \S*(?<number>!\d+)$/m

/** Reads the pull request from a merge commit's message, as of GitHub, Gitea and Forgejo, Bitbucket, and GitLab. */
export function pullRequestIn(message: string): string | null {
  const [title = ''] = message.split('\n', 1)
  const found =
    OF_GITLAB.exec(message) ?? NAMES.map((name) => name.exec(title.trimEnd())).find((match) => match !== null)
  return found?.groups?.['number'] ?? null
}

/** The records that two commits describe differently; null if there are too many files, or if Git fails. */
export async function changedRecords(
  before: string,
  after: string,
  directory: string,
  io: Place,
  read: Count = { bytes: 0 },
): Promise<ReadonlySet<string> | null> {
  const git = gitIn(resolve(io.cwd, directory), io.env)
  const listed = await git(['diff-tree', '-r', '--name-only', '-z', '--no-renames', before, after, '--', '.'])
  const paths = (listed ?? '').split('\0').filter((path) => /\.(yaml|yml|json)$/i.test(path))
  // Git reads one path per line, so a path with a line break cannot be asked for.
  if (listed === null || paths.length > MOST_FILES || paths.join('').includes('\n')) return null
  const was = await recordsAt(before, paths, directory, io, read)
  const is = await recordsAt(after, paths, directory, io, read)
  if (was === null || is === null) return null
  return new Set([...was.keys(), ...is.keys()].filter((id) => was.get(id) !== is.get(id)))
}

/** The digests of the records in some files of a commit, by `type/key`; null if Git fails. */
async function recordsAt(
  commit: string,
  paths: readonly string[],
  directory: string,
  io: Place,
  read: Count,
): Promise<ReadonlyMap<string, string> | null> {
  const files = await filesAt(commit, paths, { cwd: resolve(io.cwd, directory), env: io.env })
  if (files === null) return null
  for (const { bytes } of files) read.bytes += bytes.length
  const { document, settings } = modelsIn(
    { directory: resolve(io.cwd, directory), files, real: [], diagnostics: [] },
    io,
  )
  // Few plans have waiting changes, so this is loaded on demand.
  const { readDocument } = await import('../../documents/read/read-document.ts')
  const { snapshot } = readDocument(document, undefined, settings.access)
  const records = [...snapshot.values()].flatMap((type) => [...type.records.values()])
  return new Map(records.map((record) => [recordId(record), record.digest]))
}

async function filesAt(commit: string, paths: readonly string[], place: GitPlace) {
  const input = paths.map((path) => `${commit}:${path}\n`).join('')
  // The sizes count bytes, and a file may not be valid UTF-8.
  const { isDone, output } = await runGit(['cat-file', '--batch=%(objectsize)'], {
    ...place,
    input,
    encoding: 'latin1',
  })
  if (!isDone) return null
  const answer = Buffer.from(output, 'latin1')
  const files: { readonly path: string; readonly bytes: Buffer }[] = []
  let at = 0
  for (const path of paths) {
    const end = answer.indexOf('\n', at)
    const size = answer.toString('utf8', at, end)
    at = end + 1
    // The commit may not have the file.
    if (!/^\d+$/.test(size)) continue
    files.push({ path, bytes: answer.subarray(at, at + Number(size)) })
    at += Number(size) + 1
  }
  return files
}
