import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { reasonOfFileError } from '../file-error.ts'

/** Makes a directory and its parents. Node's `recursive` never ends in /proc, which denies existing directories. */
export async function makeDirectory(path: string): Promise<void> {
  const existing = await stat(path).catch(() => null)
  if (existing?.isDirectory() === true) return
  if (existing !== null) throw refusal(path, 'it is a file; name a directory')
  const parent = dirname(path)
  if (parent !== path) await makeDirectory(parent)
  try {
    await mkdir(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    // Another process may have made it meanwhile, or it is a symbolic link to nothing.
    if (code === 'EEXIST' && (await stat(path).catch(() => null))?.isDirectory() === true) return
    throw refusal(path, code === 'ENOENT' ? `${parent} takes no directories` : reasonOfFileError(error))
  }
}

function refusal(path: string, reason: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `cannot make the directory ${path}: ${reason}`)
}
