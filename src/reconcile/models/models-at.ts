import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gitIn, runGit, sureGit, type GitWork } from './git.ts'
import type { Io } from '../../shell/io.ts'
import { pathBelow } from '../../shell/path-below.ts'
import { loadModels, type Models } from './models.ts'

// Reads the models of another commit than the checked out one. It does not touch the user's work tree and index.

/** The hash of a commit in the repository of the models; null if Git does not know it. */
export async function commitAt(reference: string, models: string, io: Pick<Io, 'cwd' | 'env'>): Promise<string | null> {
  const git = gitIn(resolve(io.cwd, models), io.env)
  const found = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${reference}^{commit}`])
  return found?.trim() || null
}

/** The reason why Git refuses to read an existing repository of the models; null if it does not refuse. */
export async function refusalOfGit(models: string, { cwd, env }: Pick<Io, 'cwd' | 'env'>): Promise<string | null> {
  const { said } = await runGit(['rev-parse', '--git-dir'], { cwd: resolve(cwd, models), env })
  if (!said.includes('dubious ownership')) return null
  return 'Git does not read the repository, because it belongs to another user; allow it by "git config --global --add safe.directory DIRECTORY"'
}

/**
 * The models as they are in a commit. It also finds an earlier name of their folder. Null if the commit has no
 * models.
 */
export async function modelsAt(commit: string, models: string, io: Pick<Io, 'cwd' | 'env'>): Promise<Models | null> {
  const directory = resolve(io.cwd, models)
  const git = sureGit(directory, io.env)
  const [root = '', prefix = ''] = (await git(['rev-parse', '--show-toplevel', '--show-prefix'])).split('\n')
  const inside = prefix.replace(/\/$/, '')
  const place = mkdtempSync(join(tmpdir(), 'holdfast-models-'))
  try {
    const tree = join(place, 'tree')
    // Links and references must not leave this directory, as they must not leave a repository.
    mkdirSync(join(tree, '.git'), { recursive: true })
    const own = { root, env: { ...io.env, GIT_INDEX_FILE: join(place, 'index') }, commit, tree }
    const isThere = await checkOut({ ...own, inside })
    const folder = isThere ? inside : await formerFolder(sureGit(root, io.env), commit, inside)
    if (!isThere && (folder === null || !(await checkOut({ ...own, inside: folder })))) return null
    const cwd = join(tree, pathBelow(realpathSync(root), realpathSync(io.cwd)) ?? '')
    mkdirSync(cwd, { recursive: true })
    const found = loadModels(join(tree, folder ?? inside), { cwd, env: io.env, home: io.cwd })
    return movedTo(directory, found)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/**
 * The same models, with the paths of the directory that people know. It does not read values that are read on demand.
 */
function movedTo(directory: string, models: Models): Models {
  return {
    get document() {
      return models.document
    },
    text: () => models.text(),
    settings: models.settings,
    files: models.files,
    read: () => models.read(),
    records: models.records,
    diagnostics: models.diagnostics,
    isNews: (found) => models.isNews(found),
    mayBeUnread: (key) => models.mayBeUnread(key),
    locate: (pointers) => models.locate(pointers),
    fileOf: (pointer) => models.fileOf(pointer),
    references: models.references,
    directory,
  }
}

/**
 * The name that a renamed folder has in a commit. Null if Git sees no rename, or if the former folder still has
 * files, which means that it was divided.
 */
async function formerFolder(git: GitWork, commit: string, inside: string): Promise<string | null> {
  const words = ['diff-index', '--find-renames', '--diff-filter=R', '--name-status', '-z', commit, '--']
  const fields = (await git(words)).split('\0')
  const files = new Map<string, number>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [before = '', now = ''] = fields.slice(at + 1)
    const name = now.slice(inside.length)
    if (!now.startsWith(`${inside}/`) || !before.endsWith(name)) continue
    const folder = before.slice(0, -name.length)
    files.set(folder, (files.get(folder) ?? 0) + 1)
  }
  const [former] = [...files].sort(([, one], [, other]) => other - one)[0] ?? []
  return former !== undefined && (await git(['ls-files', '--', former])) === '' ? former : null
}

interface Checkout {
  readonly root: string
  /** The environment, with a separate index. */
  readonly env: Io['env']
  readonly commit: string
  /** The directory of the models within the repository; empty for the root. */
  readonly inside: string
  readonly tree: string
}

const [LINK, SUBMODULE] = ['120000', '160000']

/**
 * Writes the files of the models. If the models may refer to other files, it writes all files of the commit. A submodule
 * stays empty, and `.gitmodules` tells the reader so.
 */
async function checkOut({ root, env, commit, inside, tree }: Checkout): Promise<boolean> {
  const git = sureGit(root, env)
  const listed = await git(['ls-tree', '-r', '-z', commit, '--', inside || '.'])
  const entries = listed.split('\0').filter((entry) => entry !== '')
  if (entries.length === 0) return false
  const search = ['grep', '--quiet', '--fixed-strings', '-e', '${file:', commit, '--', inside || '.']
  const isAll =
    (await gitIn(root, env)(search)) !== null ||
    entries.some((entry) => entry.startsWith(LINK) || entry.startsWith(SUBMODULE))
  const prefix = `--prefix=${tree}/`
  await git(['read-tree', commit])
  const files = entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)).join('\0')
  if (isAll) await git(['checkout-index', '--all', '--quiet', prefix])
  else await git(['checkout-index', '--stdin', '-z', '--quiet', prefix], files)
  return true
}
