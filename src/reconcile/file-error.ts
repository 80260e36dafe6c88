import { HoldfastError } from '../lib/errors.ts'

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  ELOOP: 'its symbolic links lead in a circle',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'it exists already',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
}

/** Why the file system refused, in words. */
export function reasonOfFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (code === '' ? 'the reason is not known' : code)
}

/** Does something with a file and says which one, and why, where that fails. */
export async function withFile<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new HoldfastError('BAD_USER_INPUT', `cannot ${action} ${path}: ${reasonOfFileError(error)}`, { cause: error })
  }
}
