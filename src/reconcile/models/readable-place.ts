import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

// What may be read for models, which may come from anybody's pull request.

/** The nearest directory, from here upwards, that holds a Git repository. */
export function repositoryOf(directory: string): string | null {
  for (let current = realpathSync(directory); ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) return null
  }
}

/** Why a file is not read, all links on the way to it followed; null where it may be. */
export function problemOf(root: string, real: string): string | null {
  const path = relative(root, real)
  const parts = path.split(sep)
  if (parts[0] === '..' || isAbsolute(path)) return 'only files inside the repository of the models are read'
  return parts.some((part) => part.startsWith('.')) ? 'hidden files and directories are not read' : null
}
