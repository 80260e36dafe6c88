import { randomBytes } from 'node:crypto'
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { HoldfastError } from '../lib/errors.ts'

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  ELOOP: 'its symbolic links lead in a circle',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full; free some space there and try again',
  EDQUOT: 'the disk is full: the quota of this user is used up; free some space there and try again',
  EIO: 'the disk fails; check the system log',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  EEXIST: 'it exists already',
  ENAMETOOLONG: 'its name is too long',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
}

/** The reason of a file error in words. */
export function reasonOfFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (code === '' ? 'the reason is not known' : code)
}

/** Runs an operation on a file. If it fails, the error names the file and the reason. */
export async function withFile<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // A file need not exist before it is written, but its directory must.
    const isUnplaced = action === 'write' && error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const reason = isUnplaced ? 'its directory does not exist' : reasonOfFileError(error)
    throw new HoldfastError('BAD_USER_INPUT', `cannot ${action} ${path}: ${reason}`, { cause: error })
  }
}

/** Writes a whole file: it writes the text to a temporary file next to it, and then replaces the file. */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const existing = await stat(path).catch(() => null)
  // A special file such as /dev/stdout cannot be replaced.
  if (existing !== null && !existing.isFile()) return writeFile(path, text, { mode })
  const target = existing === null ? path : await realpath(path)
  await rename(await writeBeside(target, text, mode), target)
}

/** Writes a complete file next to a path, and returns the path of the new file. The caller renames or removes it. */
export async function writeBeside(path: string, text: string | readonly Buffer[], mode?: number): Promise<string> {
  // Processes of two containers may have the same number. `wx` writes nothing through a link.
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.unfinished`
  try {
    await writeFile(unfinished, text, { mode: mode ?? 0o666, flag: 'wx' })
    // The umask has taken rights away.
    if (mode !== undefined) await chmod(unfinished, mode)
    return unfinished
  } catch (error) {
    // If removing it fails as well, the first error is the one to report.
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
}
