import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077

/** Closes a database to all other users: the directory above it may have been there before, and open to all. */
export function makePrivate(directory: string): void {
  if (!isOpen(directory)) return
  makeFilesPrivate(directory)
  close(directory)
}

/** Closes the files of a new database, which PGlite makes so that everybody may write them. */
export function makeFilesPrivate(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink() && isOpen(path)) close(path)
  }
}

function isOpen(path: string): boolean {
  return (lstatSync(path).mode & OTHERS) !== 0
}

function close(path: string): void {
  try {
    chmodSync(path, lstatSync(path).mode & 0o7700)
  } catch {
    // Some file systems have no modes, and only the owner of a file may change it. PostgreSQL says where it cannot read one.
  }
}
