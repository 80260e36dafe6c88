import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'

// Merges of real Git, without a work tree: many in a second. To start a process is the dearest of it, so Git is asked for
// nothing but the merge of two branches that have both moved; its objects are written and read as they are in files.

/** Texts by path; null: there is none. */
export type Files = { readonly [path: string]: string | null }

export interface PlainGit {
  readonly directory: string
  /** A commit on top of another one, or the first; a file that is null is removed. All are in the folder models. */
  commit(parent: string | null, files: Files): string
  /** Null if Git cannot merge. Squashed, the result has one parent. */
  merge(onto: string, branch: string, isSquashed: boolean): string | null
  /** The paths that differ, with their texts in the second commit. */
  changed(from: string, to: string): Files
  read(commit: string, path: string): string | null
  files(commit: string): ReadonlyMap<string, string>
  close(): void
}

const FOLDER = 'models'
const PERSON = 'Ann <ann@example.org> 0 +0000'

export function plainGit(): PlainGit {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-schedule-'))
  for (const folder of ['objects', 'refs']) mkdirSync(join(directory, folder))
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  const objects = objectsIn(join(directory, 'objects'))
  const parents = new Map<string, readonly string[]>()
  const contents = new Map<string, ReadonlyMap<string, string>>()
  const merged = new Map<string, string | null>()

  function saved(tree: string, from: readonly string[]): string {
    const lines = [`tree ${tree}`, ...from.map((one) => `parent ${one}`), `author ${PERSON}`, `committer ${PERSON}`]
    const commit = objects.write('commit', Buffer.from(`${lines.join('\n')}\n\nChange\n`))
    parents.set(commit, from)
    return commit
  }
  function filesOf(commit: string): ReadonlyMap<string, string> {
    const found = contents.get(commit) ?? filesIn(treeOf(objects, commit), objects)
    contents.set(commit, found)
    return found
  }
  function isBehind(one: string, other: string): boolean {
    const [first] = parents.get(other) ?? []
    return one === other || (first !== undefined && isBehind(one, first))
  }
  function mergedTree(onto: string, branch: string): string | null {
    if (isBehind(onto, branch)) return treeOf(objects, branch)
    const key = `${onto} ${branch}`
    if (!merged.has(key)) merged.set(key, treeOfMerge(directory, onto, branch))
    return merged.get(key) ?? null
  }
  return {
    directory,
    read: (commit, path) => filesOf(commit).get(path) ?? null,
    files: filesOf,
    commit(parent, files) {
      const after = new Map(parent === null ? [] : filesOf(parent))
      for (const [path, text] of Object.entries(files)) {
        if (text === null) after.delete(path)
        else after.set(path, text)
      }
      return saved(writeTree(after, objects), parent === null ? [] : [parent])
    },
    merge(onto, branch, isSquashed) {
      const tree = mergedTree(onto, branch)
      return tree === null ? null : saved(tree, isSquashed ? [onto] : [onto, branch])
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

function treeOfMerge(directory: string, onto: string, branch: string): string | null {
  const words = ['--git-dir=.', 'merge-tree', '--write-tree', onto, branch]
  try {
    return execFileSync('git', words, { cwd: directory, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n')[0] ?? null
  } catch {
    return null
  }
}

/** The objects of a repository, as Git keeps each in a file of its own (git help repository-layout). */
interface Objects {
  write(kind: 'blob' | 'tree' | 'commit', content: Buffer): string
  read(name: string): Buffer
}

function objectsIn(directory: string): Objects {
  const place = (name: string) => join(directory, name.slice(0, 2), name.slice(2))
  const known = new Map<string, Buffer>()
  return {
    write(kind, content) {
      const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
      const name = createHash('sha1').update(whole).digest('hex')
      if (known.has(name)) return name
      mkdirSync(join(directory, name.slice(0, 2)), { recursive: true })
      writeFileSync(place(name), deflateSync(whole))
      known.set(name, content)
      return name
    },
    read(name) {
      const found = known.get(name) ?? contentIn(inflateSync(readFileSync(place(name))))
      known.set(name, found)
      return found
    },
  }
}

function contentIn(whole: Buffer): Buffer {
  return whole.subarray(whole.indexOf(0) + 1)
}

function treeOf(objects: Objects, commit: string): string {
  return /^tree ([0-9a-f]{40})$/m.exec(objects.read(commit).toString())?.[1] ?? ''
}

function writeTree(files: ReadonlyMap<string, string>, objects: Objects): string {
  const names = [...files].map(([path, text]) => [path.slice(FOLDER.length + 1), text] as const)
  const rows = names
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => entry('100644', name, objects.write('blob', Buffer.from(text))))
  return objects.write('tree', entry('40000', FOLDER, objects.write('tree', Buffer.concat(rows))))
}

function entry(mode: string, name: string, object: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')])
}

function filesIn(tree: string, objects: Objects): ReadonlyMap<string, string> {
  const [folder] = entriesOf(objects.read(tree))
  const rows = folder === undefined ? [] : entriesOf(objects.read(folder.object))
  return new Map(rows.map(({ name, object }) => [`${FOLDER}/${name}`, objects.read(object).toString()]))
}

function entriesOf(tree: Buffer): { readonly name: string; readonly object: string }[] {
  const found = []
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at)
    const name = tree.toString('utf8', tree.indexOf(' ', at) + 1, end)
    found.push({ name, object: tree.toString('hex', end + 1, end + 21) })
    at = end + 21
  }
  return found
}
