import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathBelow } from '../../shell/path-below.ts'

// Decides which files may be read for models. The models may come from a stranger's pull request.

/** The nearest directory, from here upwards, that contains a Git repository. */
export function repositoryOf(directory: string): string | null {
  for (let current = realpathSync.native(directory); ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) return null
  }
}

export const OUTSIDE = 'only files inside the repository of the models are read'

/**
 * The reason why a file may not be read; null if it may. `real` is its native path with all links followed: on Windows,
 * a hidden directory also has a short name such as `GIT~1`.
 */
export function problemOf(root: string, real: string): string | null {
  const path = pathBelow(root, real)
  if (path === undefined) return OUTSIDE
  return path.split(sep).some((part) => part.startsWith('.')) ? 'hidden files and directories are not read' : null
}

/**
 * The path of the models' folder from the root of their repository, `.` for the root itself; null if they are in no
 * repository. It looks for `.git` without starting Git, because every plan needs it.
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
