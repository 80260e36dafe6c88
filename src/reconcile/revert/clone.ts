import { resolve } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { repositoryName } from '../../records/type-owner.ts'
import type { Io } from '../../shell/io.ts'
import { folderOf } from '../models/readable-path.ts'
import { gitIn, type Git } from '../models/git.ts'
import type { AppliedCommits } from './applied-commits.ts'

interface Remote {
  readonly name: string
  readonly url: string
}

/** The clone of the user that has the models, with the remote of the repository of an apply. */
export interface Clone {
  readonly root: string
  readonly remote: Remote
}

/** Finds the clone of the repository of an apply. */
export async function cloneOf(
  { repository, folder }: Pick<AppliedCommits, 'repository' | 'folder'>,
  models: string,
  io: Io,
): Promise<Clone> {
  const directory = resolve(io.cwd, models)
  const git = gitIn(directory, io.env)
  const root = (await git(['rev-parse', '--show-toplevel']))?.trim()
  const wanted = repository === null ? 'the repository of the models' : repositoryName(repository)
  if (!root) throw refused(`${models} is in no clone of Git; run this in a clone of ${wanted}`)
  const written = readRemotes((await git(['config', '--get-regexp', String.raw`^remote\..*\.url$`])) ?? '')
  const remotes = await Promise.all(written.map((remote) => inFull(remote, git)))
  const fitting = remotes.filter(({ url }) => repository === null || isSame(url, repository))
  const only = repository === null && fitting.length > 1 ? undefined : fitting[0]
  const remote = fitting.find(({ name }) => name === 'origin') ?? only
  if (remote === undefined && repository === null) {
    const names = remotes.map(({ name }) => name).join(', ') || 'none'
    throw refused(`the pull request needs the remote origin, and the remotes of this clone are: ${names}`)
  }
  if (remote === undefined) {
    const here = remotes.map(({ url }) => repositoryName(url)).join(', ') || 'nothing'
    throw refused(`the apply came from ${wanted}, and this is a clone of ${here}; run this in a clone of ${wanted}`)
  }
  const own = folderOf(directory)
  if (folder !== null && own !== folder)
    throw refused(`the apply is of the folder ${folder}, and ${models} is ${own}; give --models for that folder`)
  return { root, remote }
}

/** Reads lines such as `remote.origin.url https://…`. */
function readRemotes(text: string): Remote[] {
  return text.split('\n').flatMap((line) => {
    const [, name, url] = /^remote\.(.+)\.url (.+)$/.exec(line) ?? []
    return name === undefined || url === undefined ? [] : [{ name, url }]
  })
}

/** Replaces an abbreviation of the user's configuration (`url.*.insteadOf`), such as `gh:acme/models`. */
async function inFull({ name, url }: Remote, git: Git): Promise<Remote> {
  const isShort = /^[^@/:.]+:(?!\/\/)/.test(url)
  const full = isShort ? await git(['ls-remote', '--get-url', '--', name]) : null
  return { name, url: full?.trim() || url }
}

/** Compares paths only, whatever their case: jobs name a repository by its path, and forges ignore case. */
function isSame(url: string, repository: string): boolean {
  return repositoryName(url).toLowerCase() === repositoryName(repository).toLowerCase()
}

function refused(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `${message}; nothing was done`)
}
