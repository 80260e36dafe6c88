import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * The folder of models from the root of their repository, `.` for the root itself; null where they are in none. It looks for
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
