import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withFile } from '../file-error.ts'
import { makeDirectory } from '../models/make-directory.ts'

export interface NewFile {
  readonly path: string
  readonly text: string
}

/** Writes a file that does not exist yet. It returns false for an existing file, which stays as it is. */
export async function writeNew(directory: string, shown: string, { path, text }: NewFile): Promise<boolean> {
  const file = join(directory, path)
  await makeDirectory(dirname(file))
  return withFile('write', join(shown, path), async () => {
    try {
      await writeFile(file, text, { flag: 'wx' })
      return true
    } catch (error) {
      if (isThere(error)) return false
      throw error
    }
  })
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
