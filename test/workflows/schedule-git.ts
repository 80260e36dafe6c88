import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Commits and merges of real Git, without a work tree: many in a second.

export interface PlainGit {
  /** Where the models would be checked out. */
  readonly directory: string
  /** A commit on top of another one; a file that is null is removed. */
  commit(parent: string, files: { readonly [path: string]: string | null }): string
  /** Null where Git cannot merge. Squashed, the result has one parent. */
  merge(onto: string, branch: string, isSquashed: boolean): string | null
  /** The paths that differ, with their texts in the second commit. */
  changed(from: string, to: string): { readonly [path: string]: string | null }
  read(commit: string, path: string): string | null
  close(): void
}

const PERSON = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgsign=false']

export function plainGit(): PlainGit & { readonly root: string } {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-schedule-'))
  const index = { ...process.env, GIT_INDEX_FILE: join(directory, '.git', 'plain-index') }
  const git = (words: readonly string[], input = '') =>
    execFileSync('git', [...PERSON, ...words], {
      cwd: directory,
      encoding: 'utf8',
      env: index,
      input,
      stdio: 'pipe',
    }).trim()
  git(['init', '--quiet', '--initial-branch=main'])
  mkdirSync(join(directory, 'models'))
  writeFileSync(join(directory, 'models', 'place.txt'), '')
  const root = git(['commit-tree', git(['mktree']), '-m', 'The beginning'])
  const read = (commit: string, path: string) => {
    try {
      return git(['cat-file', 'blob', `${commit}:${path}`])
    } catch {
      return null
    }
  }
  return {
    directory,
    root,
    read,
    commit(parent, files) {
      git(['read-tree', parent])
      const lines = Object.entries(files).map(([path, text]) =>
        text === null
          ? `0 ${'0'.repeat(40)}\t${path}`
          : `100644 ${git(['hash-object', '-w', '--stdin'], text)}\t${path}`,
      )
      git(['update-index', '--add', '--index-info'], `${lines.join('\n')}\n`)
      return git(['commit-tree', git(['write-tree']), '-p', parent, '-m', 'Change'])
    },
    merge(onto, branch, isSquashed) {
      try {
        const tree = git(['merge-tree', '--write-tree', onto, branch]).split('\n')[0] ?? ''
        const parents = isSquashed ? ['-p', onto] : ['-p', onto, '-p', branch]
        return git(['commit-tree', tree, ...parents, '-m', 'Merge'])
      } catch {
        return null
      }
    },
    changed(from, to) {
      const paths = git(['diff-tree', '-r', '--name-only', from, to]).split('\n').filter(Boolean)
      return Object.fromEntries(paths.map((path) => [path, read(to, path)]))
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}
