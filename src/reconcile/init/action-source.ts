import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../shell/io.ts'
import { runGit } from '../apply/origin.ts'
import type { ActionSource } from './workflow-text.ts'

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * The GitHub repository of the running Holdfast; null where Git does not know it. Where Holdfast is a part of another
 * repository, Git would name that one, so the answer is null too.
 */
export async function ownSource(env: Environment): Promise<ActionSource | null> {
  const git = (...words: readonly string[]) => runGit(PACKAGE, env, words)
  const [top, remote, commit] = await Promise.all([
    git('rev-parse', '--show-toplevel'),
    git('config', '--get', 'remote.origin.url'),
    git('rev-parse', 'HEAD'),
  ])
  if (top === undefined || realpathSync(top) !== realpathSync(PACKAGE)) return null
  const repository = githubName(remote ?? '')
  return repository === null || commit === undefined ? null : { repository, commit }
}

/** The name in `https://github.com/owner/name.git` or `git@github.com:owner/name.git`. */
export function githubName(remote: string): string | null {
  const [, name] =
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(remote) ?? []
  return name ?? null
}
