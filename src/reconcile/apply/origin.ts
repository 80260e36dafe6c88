import { execFile } from 'node:child_process'
import type { Environment } from '../../shell/io.ts'
import type { Origin } from '../target/target.ts'

/** Where the models come from: GitHub's variables in its jobs, else what Git says about their directory. */
export async function originOf(directory: string, env: Environment): Promise<Origin> {
  const git = await gitOrigin(directory, env)
  return compact({
    commit: git.commit ?? env['GITHUB_SHA'],
    repository: env['GITHUB_REPOSITORY'] ?? git.repository,
    ref: env['GITHUB_REF'] ?? git.ref,
    actor: env['GITHUB_ACTOR'],
  })
}

type Words = { readonly [name in keyof Origin]: string | undefined }

function compact(words: Words): Origin {
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined && word !== ''))
}

async function gitOrigin(directory: string, env: Environment): Promise<Words> {
  const git = (...words: readonly string[]) => runGit(directory, env, words)
  const [commit, ref, remote, changes] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('symbolic-ref', '--quiet', 'HEAD'),
    git('config', '--get', 'remote.origin.url'),
    git('status', '--porcelain', '--', '.'),
  ])
  // A commit that is not quite what was applied must not look as if it were.
  const dirty = changes === undefined || changes === '' ? '' : '-dirty'
  return {
    commit: commit === undefined ? undefined : commit + dirty,
    ref,
    repository: remote === undefined ? undefined : withoutPassword(remote),
  }
}

/** What Git would run because a repository says so: a model directory may itself be made up to look like a bare one. */
const TRUSTS_NOTHING = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit']

/** Undefined where there is no Git, no repository or no such thing in it: an apply does not depend on it. */
export function runGit(cwd: string, env: Environment, words: readonly string[]): Promise<string | undefined> {
  const options = { cwd, timeout: 5_000, env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } }
  return new Promise((resolve) => {
    execFile('git', [...TRUSTS_NOTHING, ...words], options, (error, stdout) => {
      resolve(error === null ? stdout.trim() : undefined)
    })
  })
}

/** Some remotes carry a token in their address. */
function withoutPassword(remote: string): string {
  return remote.replace(/^([a-z][a-z+.-]*:\/\/)[^/@]*@/i, '$1')
}
