import { readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { HoldfastError } from '../../lib/errors.ts'
import { withFile, writeBeside } from '../file-error.ts'

export interface Replacement {
  /** The path as messages show it. */
  readonly path: string
  readonly absolute: string
  readonly text: string
  /** The content of the file when it was read; null for a new file. */
  readonly before: Uint8Array | null
}

interface Prepared extends Replacement {
  readonly target: string
  readonly unfinished: string
  /** The rights of the old file; undefined for a new one. */
  readonly mode: number | undefined
}

/**
 * Writes all files or none. It writes each new file next to the old one first. If one cannot be put into place, it
 * restores the others. Only if the process or the machine stops between two of the last steps, some files are new and
 * others old.
 */
export async function replaceFiles(replacements: readonly Replacement[]): Promise<void> {
  const prepared: Prepared[] = []
  const done: Prepared[] = []
  try {
    for (const one of replacements) prepared.push(await prepare(one))
    for (const one of prepared) await refuseChanged(one)
    for (const one of prepared) {
      await withFile('write', one.path, () => rename(one.unfinished, one.target))
      done.push(one)
    }
  } catch (error) {
    for (const one of done) await putBack(one)
    throw error
  } finally {
    for (const { unfinished } of prepared) await rm(unfinished, { force: true })
  }
}

function prepare(one: Replacement): Promise<Prepared> {
  return withFile('write', one.path, async () => {
    const target = one.before === null ? one.absolute : await realpath(one.absolute)
    const mode = one.before === null ? undefined : (await stat(target)).mode & 0o777
    if (mode !== undefined && (mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' })
    return { ...one, target, mode, unfinished: await writeBeside(target, one.text, mode) }
  })
}

/** Refuses a file that changed since it was read, for example because somebody saved it in an editor. */
async function refuseChanged({ path, target, before }: Prepared): Promise<void> {
  const now = await readFile(target).catch(() => null)
  const isSame = now === null || before === null ? now === before : now.equals(before)
  if (!isSame)
    throw new HoldfastError(
      'CONFLICT',
      `${path} was changed in the meantime; nothing was written, run the command again`,
    )
}

async function putBack({ target, before, mode }: Prepared): Promise<void> {
  if (before === null) return rm(target, { force: true })
  await rename(await writeBeside(target, [Buffer.from(before)], mode), target)
}
