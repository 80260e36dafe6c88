import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathBelow } from '../../shell/path-below.ts'

// These are the files that may be read for models. The models may come from a stranger's pull request.

/** The nearest directory, from here upwards, that contains a Git repository. */
export function repositoryOf(directory: string): string | null {
  for (let current = realpathSync(directory); ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) return null
  }
}

/** The reason why a file is not read; null if it may be. `real` is its path with all links followed. */
export function problemOf(root: string, real: string): string | null {
  const path = pathBelow(root, real)
  if (path === undefined) return 'only files inside the repository of the models are read'
  return path.split(sep).some((part) => part.startsWith('.')) ? 'hidden files and directories are not read' : null
}

/**
 * The folder of models from the root of their repository, `.` for the root itself; null if they are in none. It looks for
 * `.git` and starts no Git, because each plan asks.
 */
export function folderOf(models: string): string | null {
  const directory = existsSync(models) ? realpathSync(models) : models
  const root = rootAbove(directory)
  return root === undefined ? null : relative(root, directory).replaceAll(sep, '/') || '.'
}

function rootAbove(directory: string): string | undefined {
  for (let place = directory; ; place = dirname(place)) {
    if (existsSync(join(place, '.git'))) return place
    if (dirname(place) === place) return undefined
  }
}
