import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Environment } from '../../shell/io.ts'
import { gitLine } from '../models/git.ts'
import type { ActionSource } from './workflow-text.ts'

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))

/** The origin that a package from a registry states (scripts/build-package.ts). */
const PACKAGED: { readonly name: string; readonly action?: ActionSource | null } = packageJson

/**
 * The GitHub repository of the running Holdfast; null where neither its package nor Git knows it. Where Holdfast is a part
 * of another repository, Git would name that one, so the answer is null too.
 */
export async function ownSource(env: Environment): Promise<ActionSource | null> {
  if (PACKAGED.action !== undefined) return PACKAGED.action
  const git = (...words: readonly string[]) => gitLine(PACKAGE, env, words)
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
