import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { SourceLink } from '../../plan/render/markdown/markdown-change.ts'
import type { Io } from '../../shell/io.ts'
import { pathBelow } from '../../shell/path-below.ts'
import type { Job } from '../forge/job.ts'
import { gitLine } from '../models/git.ts'
import type { PathOf } from '../forge/workflow-commands.ts'

/**
 * Converts the paths that commands show into paths from the root of the repository; undefined for files outside of it.
 */
export async function repositoryPaths(directory: string, io: Pick<Io, 'cwd' | 'env'>): Promise<PathOf> {
  const pathOf = await pathsInRepository(directory, io)
  return (file) => pathOf(file) || undefined
}

/** Converts paths like `repositoryPaths`, with an empty path for the root itself. */
export async function pathsInRepository(directory: string, { cwd, env }: Pick<Io, 'cwd' | 'env'>): Promise<PathOf> {
  // In a container, Git may refuse to read the directory of another user. Then the runner knows the root.
  const root =
    (await gitLine(directory, env, ['rev-parse', '--show-toplevel'])) ??
    env['GITHUB_WORKSPACE'] ??
    env['CI_PROJECT_DIR'] ??
    cwd
  return (file) => pathBelow(realPath(root), resolve(realPath(cwd), file))?.replaceAll(sep, '/')
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** `https://github.com/acme/models/blob/0123abc/models/heating.yaml#L12` */
export function sourceLinks({ pages }: Pick<Job, 'pages'>, pathOf: PathOf): SourceLink {
  return ({ file, line }) => {
    const path = pathOf(file)
    if (path === undefined) return undefined
    const names = path.split('/').map((name) => encodeURIComponent(name.toWellFormed()))
    return `${pages.file}${names.join('/')}#L${line}`
  }
}
