import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

// These are the files that may be read for models. The models may come from a stranger's pull request.

/** The nearest directory, from here upwards, that contains a Git repository. */
export function repositoryOf(directory: string): string | null {
  for (let current = realpathSync(directory); ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) return null
  }
}

/** The reason why a file is not read; null where it may be. `real` is its path with all links followed. */
export function problemOf(root: string, real: string): string | null {
  const path = relative(root, real)
  const parts = path.split(sep)
  if (parts[0] === '..' || isAbsolute(path)) return 'only files inside the repository of the models are read'
  return parts.some((part) => part.startsWith('.')) ? 'hidden files and directories are not read' : null
}
