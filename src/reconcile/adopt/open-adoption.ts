import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { nameSome } from '../../lib/counted.ts'
import { digestOf } from '../../lib/digest.ts'
import { codeSpan } from '../../plan/render/markdown/markdown-text.ts'
import type { Io } from '../../shell/io.ts'
import { pathBelow } from '../../shell/path-below.ts'
import type { PullRequestPage } from '../forge/forge.ts'
import { sureGit, type GitWork } from '../models/git.ts'
import { LFS_POINTER } from '../models/model-source.ts'
import type { Replacement } from '../models/replace-files.ts'
import { defaultBranch, fetchBranch, push, refused } from '../revert/branches.ts'
import { cloneOf, type Clone } from '../revert/clone.ts'
import { forgeDesk } from '../revert/forge-desk.ts'
import { inWorktree } from '../revert/git-work.ts'
import { adoptedText, type AdoptionResult } from './adopt-text.ts'

/** A pull request that is ready to be opened. Nothing is written yet. */
export interface PreparedAdoption {
  readonly repository: string
  /** The open pull request with the same changes; null if there is none. */
  readonly existing: PullRequestPage | null
  open(platform: string): Promise<PullRequestPage & { readonly branch: string }>
}

const MOST_NAMED = 50

/** Checks everything that can be checked before the user is asked: the clone, the forge and its token. */
export async function prepareAdoption(
  { adopted }: AdoptionResult,
  files: readonly Replacement[],
  models: string,
  io: Io,
): Promise<PreparedAdoption> {
  const clone = await cloneOf({ repository: null, folder: null }, models, io)
  const desk = await forgeDesk(clone, io)
  // The same changes always get the same branch, so a second run finds the pull request of the first one.
  const branch = `holdfast/adopt-${digestOf(JSON.stringify(files.map(({ path, text }) => [path, text]))).slice(7, 15)}`
  return {
    repository: desk.repository,
    existing: await desk.find(branch),
    async open(platform) {
      const title = `Adopt ${adopted.length === 1 ? 'a change' : `${adopted.length} changes`} made on ${platform}`
      const names = adopted.map(adoptedText)
      // Forges obey words of a commit message, such as `[skip ci]`, so it has no text of the platform.
      const into = await pushFiles(clone, files, { branch, message: 'Adopt changes made on the platform' }, io)
      const list = names.slice(0, MOST_NAMED).map((name) => `- ${codeSpan(name)}`)
      const more = names.length > MOST_NAMED ? `\n- and ${names.length - MOST_NAMED} more` : ''
      const body = `These changes were made on the platform ${codeSpan(platform)}. Merging this keeps them: the models then say the same. Close it, and apply the models, to revert the changes instead.\n\n${list.join('\n')}${more}`
      return { ...(await desk.create({ branch, into, title, body })), branch }
    },
  }
}

/** Commits the files on the newest commit of the default branch, and pushes the result as a new branch. */
async function pushFiles(
  { root, remote }: Clone,
  files: readonly Replacement[],
  { branch, message }: { readonly branch: string; readonly message: string },
  io: Io,
): Promise<string> {
  return inWorktree(root, io, async (git) => {
    const into = await defaultBranch(remote.name, git)
    await fetchBranch(git, remote.name, into)
    const tip = await git(['rev-parse', 'FETCH_HEAD'])
    const entries = await Promise.all(files.map((file) => entryOf(file, root, tip, sureGit(root, io.env))))
    const others = files.filter((_, index) => entries[index] === null).map(({ path }) => path)
    if (others.length > 0)
      throw refused(
        `${nameSome(others, MOST_NAMED)} ${others.length === 1 ? 'is' : 'are'} not as on ${into} of ${remote.name}; check out that branch and pull, or leave out --pull-request`,
      )
    // No file is checked out: the commit is made from the index alone.
    await git(['update-ref', '--no-deref', 'HEAD', tip])
    await git(['read-tree', tip])
    for (const entry of entries) await git(['update-index', '--cacheinfo', entry ?? ''])
    await git(['commit', '--quiet', '--no-verify', '--file=-'], message)
    await push(branch, remote.name, git)
    return into
  })
}

/** The new entry of a file in the index; null if the file differs from the file in the commit. */
async function entryOf({ absolute, before, text }: Replacement, root: string, tip: string, git: GitWork) {
  const path = (pathBelow(realpathSync(root), realpathSync(absolute)) ?? '').replaceAll(sep, '/')
  const [mode = '', , blob] = (await git(['ls-tree', tip, '--', path])).split(/[ \t]/)
  // The attributes of the files decide how line breaks are stored, so this does not run in the empty worktree.
  const hash = async (content: string) =>
    (await git(['hash-object', '-w', '--stdin', `--path=${path}`], content)).trim()
  if ((await hash(Buffer.from(before ?? []).toString())) !== blob) return null
  const stored = await hash(text)
  if ((await git(['cat-file', 'blob', stored])).startsWith(LFS_POINTER.toString()))
    throw refused(`${path} is in Git LFS, and no contents of it are pushed; leave out --pull-request`)
  return `${mode},${stored},${path}`
}
