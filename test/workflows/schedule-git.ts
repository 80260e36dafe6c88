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
  const raw = (words: readonly string[], input = '') =>
    execFileSync('git', [...PERSON, ...words], { cwd: directory, encoding: 'utf8', env: index, input, stdio: 'pipe' })
  const git = (words: readonly string[], input = '') => raw(words, input).trim()
  git(['init', '--quiet', '--initial-branch=main'])
  mkdirSync(join(directory, 'models'))
  writeFileSync(join(directory, 'models', 'place.txt'), '')
  const root = git(['commit-tree', git(['mktree']), '-m', 'The beginning'])
  const texts = new Map<string, ReadonlyMap<string, string>>()
  /** The files of a commit, by path. */
  const filesOf = (commit: string): ReadonlyMap<string, string> => {
    const known = texts.get(commit)
    if (known !== undefined) return known
    const paths = git(['ls-tree', '-r', '--name-only', commit]).split('\n').filter(Boolean)
    const blobs = raw(['cat-file', '--batch=%(objectsize)'], paths.map((path) => `${commit}:${path}\n`).join(''))
    const found = new Map<string, string>()
    let at = 0
    for (const path of paths) {
      const end = blobs.indexOf('\n', at)
      const start = end + 1
      at = start + Number(blobs.slice(at, end)) + 1
      found.set(path, blobs.slice(start, at - 1))
    }
    texts.set(commit, found)
    return found
  }
  return {
    directory,
    root,
    read: (commit, path) => filesOf(commit).get(path) ?? null,
    commit(parent, files) {
      const changes = Object.entries(files).map(([path, text]) =>
        text === null ? `D ${path}\n` : `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
      )
      const head = `commit refs/heads/made\nmark :1\ncommitter Ann <ann@example.org> 0 +0000\ndata 6\nChange\nfrom ${parent}\n`
      const made = git(['fast-import', '--quiet', '--force'], `${head}${changes.join('')}\nget-mark :1\n`)
      const after = new Map(filesOf(parent))
      for (const [path, text] of Object.entries(files)) {
        if (text === null) after.delete(path)
        else after.set(path, text)
      }
      texts.set(made, after)
      return made
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
      const [before, after] = [filesOf(from), filesOf(to)]
      const paths = [...new Set([...before.keys(), ...after.keys()])]
      const differing = paths.filter((path) => before.get(path) !== after.get(path))
      return Object.fromEntries(differing.map((path) => [path, after.get(path) ?? null]))
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}
