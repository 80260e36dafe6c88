import { existsSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { SourceFile } from '../../documents/read/read-file.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { reasonOfFileError } from '../file-error.ts'
import { problemOf, repositoryOf } from './readable-path.ts'

export interface ModelSource {
  /** The absolute path. */
  readonly directory: string
  readonly files: readonly SourceFile[]
  /** The absolute paths of the files, with all links followed. */
  readonly real: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The first line of the file that Git has instead of a large file (https://git-lfs.com). */
export const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/')

export const MODEL_FILE = /\.(yaml|yml|json)$/i

/**
 * Reads every model file below a directory. A file that cannot be read is an error, because a plan without it would
 * delete records. `isWanted` chooses files by their shown path.
 */
export function readModels(
  directory: string,
  cwd: string,
  isWanted: (file: Pick<SourceFile, 'path'>) => boolean = () => true,
): ModelSource {
  const root = resolve(cwd, directory)
  checkDirectory(root, directory)
  const files: SourceFile[] = []
  const real: string[] = []
  const diagnostics: Diagnostic[] = []
  const search = new ModelSearch(root, cwd, diagnostics)
  search.visit(root)
  for (const found of search.found) {
    const path = shownPath(found, cwd)
    if (!isWanted({ path })) continue
    try {
      real.push(realpathSync(found))
      const bytes = readFileSync(found)
      if (bytes.subarray(0, LFS_POINTER.length).equals(LFS_POINTER))
        diagnostics.push(
          notRead(path, 'it is a pointer of Git LFS', 'get it by "git lfs pull" (in a checkout: lfs: true)'),
        )
      else files.push({ path, bytes })
    } catch (error) {
      diagnostics.push(unreadable(path, error))
    }
  }
  if (files.length === 0 && diagnostics.length === 0)
    throw noModels(directory, 'there is no *.yaml, *.yml or *.json file in it')
  return { directory: root, files, real, diagnostics }
}

/** A path as a user at `cwd` would write it, with `/` on every system. */
export function shownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path) || '.'
  return sep === '/' ? shown : shown.replaceAll(sep, '/')
}

/** The error that the directory of the models does not exist. */
export class NoDirectoryError extends HoldfastError {
  constructor(message: string) {
    super('BAD_USER_INPUT', message)
  }
}

function checkDirectory(root: string, written: string): void {
  const refuse = (problem: string) => noModels(written, problem)
  let isDirectory: boolean
  try {
    isDirectory = statSync(root).isDirectory()
  } catch (error) {
    throw refuse(reasonOfFileError(error))
  }
  if (!isDirectory) throw refuse('it is a file')
}

function noModels(directory: string, problem: string): NoDirectoryError {
  const advice = 'name the directory that holds the model files by --models, or begin one with "holdfast init"'
  return new NoDirectoryError(`no models in ${directory}: ${problem}; ${advice}`)
}

/**
 * Finds the model files below a directory. It follows links, but not out of the repository. It visits each directory
 * once, so link loops end. Hidden entries and `node_modules` are not models.
 */
class ModelSearch {
  readonly found: string[] = []
  readonly #visited = new Set<string>()
  readonly #repository: string | null
  readonly #cwd: string
  readonly #diagnostics: Diagnostic[]

  constructor(root: string, cwd: string, diagnostics: Diagnostic[]) {
    this.#repository = repositoryOf(root)
    this.#cwd = cwd
    this.#diagnostics = diagnostics
  }

  visit(directory: string): void {
    this.#try(directory, () => {
      const real = realpathSync(directory)
      if (this.#visited.has(real)) return
      this.#visited.add(real)
      const entries = readdirSync(directory, { withFileTypes: true })
      // Git stores no empty directories, so an empty one is likely a submodule that was not fetched.
      if (entries.length === 0 && this.#hasSubmodules()) this.#diagnostics.push(emptySubmodule(directory, this.#cwd))
      for (const entry of entries)
        if (!entry.name.startsWith('.') && entry.name !== 'node_modules') this.#visitEntry(directory, entry)
    })
  }

  #hasSubmodules(): boolean {
    return this.#repository !== null && existsSync(join(this.#repository, '.gitmodules'))
  }

  #visitEntry(directory: string, entry: Dirent): void {
    const path = join(directory, entry.name)
    if (entry.isSymbolicLink()) this.#try(path, () => this.#visitLink(path))
    else this.#visitTarget(path, entry)
  }

  #visitLink(path: string): void {
    const target = statSync(path)
    const problem = linkProblem(this.#repository, path, this.#cwd)
    if (problem === null) return this.#visitTarget(path, target)
    this.#diagnostics.push(problem)
  }

  #visitTarget(path: string, target: Pick<Stats, 'isDirectory' | 'isFile'>): void {
    if (target.isDirectory()) this.visit(path)
    else if (target.isFile() && MODEL_FILE.test(path)) this.found.push(path)
  }

  #try(path: string, look: () => void): void {
    try {
      look()
    } catch (error) {
      this.#diagnostics.push(unreadable(shownPath(path, this.#cwd), error))
    }
  }
}

/**
 * The finding about a link that leads out of the repository, or to a hidden file in it; null if the link is allowed.
 */
function linkProblem(repository: string | null, path: string, cwd: string): Diagnostic | null {
  const problem = repository === null ? null : problemOf(repository, realpathSync.native(path))
  return problem === null
    ? null
    : notRead(shownPath(path, cwd), problem, 'put the file itself there or remove the link')
}

function emptySubmodule(directory: string, cwd: string): Diagnostic {
  const advice = 'check the submodule out by "git submodule update --init" (in a job: submodules: true), or remove it'
  return notRead(shownPath(directory, cwd), 'it is a submodule that is not checked out', advice)
}

function unreadable(path: string, error: unknown): Diagnostic {
  return notRead(path, reasonOfFileError(error), 'make it readable or remove it')
}

function notRead(path: string, why: string, advice: string): Diagnostic {
  const message = `it cannot be read: ${why}; without it records would be missing, so ${advice}`
  return { severity: 'error', code: 'unreadable-file', message, file: path, line: 1, column: 1, pointer: '' }
}
