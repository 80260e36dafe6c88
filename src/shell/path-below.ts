import { isAbsolute, relative, sep } from 'node:path'

/** The path of a file from a directory, empty for the directory itself; undefined for files outside of it. */
export function pathBelow(directory: string, file: string): string | undefined {
  const path = relative(directory, file)
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path
}
