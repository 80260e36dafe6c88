import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles, type Files } from '../reconcile/workspace.ts'

// A bare repository as a server holds it, and what people do with it.

export interface GitRepository {
  readonly path: string
  /** Lets something work in a checkout of main, and commits what it has done. */
  edit(work: (directory: string) => Promise<void>, files: FileChanges): Promise<string>
  /** A commit on a branch that begins where main is; a file that is null is removed. */
  commit(branch: string, files: FileChanges): string
  /** What a pull request of this branch would make of main, as `refs/pull/7/merge`; fails where Git cannot merge. */
  tryMerge(branch: string, onto?: string, message?: string): string
  /** Puts main there. */
  moveMain(commit: string): void
  tip(branch: string): string
  read(commit: string, path: string): string
  checkOut(commit: string, directory: string): void
  close(): void
}

export type FileChanges = { readonly [path: string]: string | null }

const PERSON = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  // Each command would start another one to tidy up.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

export function makeGitRepository(files: Files): GitRepository {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-git-'))
  const [path, desk] = [join(root, 'models.git'), join(root, 'desk')]
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, {
      cwd: desk,
      encoding: 'utf8',
      env: { ...process.env, ...PERSON },
      stdio: 'pipe',
    }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', path])
  execFileSync('git', ['clone', '--quiet', path, desk], { stdio: 'pipe' })
  const save = (branch: string, message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '-m', message)
    git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`)
    return git('rev-parse', 'HEAD')
  }
  git('checkout', '--quiet', '-B', 'main')
  writeFiles(desk, files)
  save('main', 'The beginning')
  const change = (files: FileChanges): void => {
    for (const [file, text] of Object.entries(files)) {
      if (text === null) rmSync(join(desk, file))
      else writeFiles(desk, { [file]: text })
    }
  }
  return {
    path,
    async edit(work, files) {
      git('checkout', '--quiet', '-B', 'main', 'origin/main')
      await work(desk)
      change(files)
      return save('main', 'Set up')
    },
    commit(branch, changed) {
      git('fetch', '--quiet', 'origin')
      const isThere = git('branch', '--remotes', '--list', `origin/${branch}`) !== ''
      git('checkout', '--quiet', '-B', 'work', `origin/${isThere ? branch : 'main'}`)
      change(changed)
      return save(branch, `Change of ${branch}`)
    },
    tryMerge(branch, onto = 'main', message = `Merge ${branch}`) {
      git('fetch', '--quiet', 'origin')
      git('checkout', '--quiet', '-B', 'merge', /^[0-9a-f]{40}$/.test(onto) ? onto : `origin/${onto}`)
      git('merge', '--quiet', '--no-ff', '-m', message, `origin/${branch}`)
      git('push', '--quiet', '--force', 'origin', `HEAD:refs/pull/${branch}/merge`)
      return git('rev-parse', 'HEAD')
    },
    moveMain: (commit) => void git('push', '--quiet', '--force', 'origin', `${commit}:refs/heads/main`),
    tip: (branch) => execFileSync('git', ['rev-parse', branch], { cwd: path, encoding: 'utf8' }).trim(),
    read: (commit, file) => execFileSync('git', ['show', `${commit}:${file}`], { cwd: path, encoding: 'utf8' }),
    checkOut(commit, directory) {
      execFileSync('git', ['clone', '--quiet', '--no-checkout', path, directory], { stdio: 'pipe' })
      execFileSync('git', ['fetch', '--quiet', 'origin', commit], { cwd: directory, stdio: 'pipe' })
      execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: directory, stdio: 'pipe' })
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}
