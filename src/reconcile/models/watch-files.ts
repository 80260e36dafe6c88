import { watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Io } from '../../shell/io.ts'
import { withFile } from '../file-error.ts'

/** Waits for the next change. It rejects after Ctrl-C. */
export type NextChange = () => Promise<void>

/** Editors write a file in several steps, and Git writes many files. Changes this close together count as one. */
const DEBOUNCE_MS = 100

/** Watches all files below a directory while `work` runs. Files behind links are not watched. */
export async function watching<T>(
  directory: string,
  { cwd, signal, wait }: Pick<Io, 'cwd' | 'signal' | 'wait'>,
  work: (next: NextChange) => Promise<T>,
): Promise<T> {
  let change = newChange()
  const interrupt = () => change.reject(signal.reason)
  const path = resolve(cwd, directory)
  // The watcher itself accepts a directory that does not exist.
  await withFile('watch', directory, () => readdir(path))
  const watcher = watch(path, { recursive: true })
  watcher.on('change', () => change.resolve()).on('error', (error) => change.reject(error))
  signal.addEventListener('abort', interrupt)
  try {
    return await work(async () => {
      signal.throwIfAborted()
      await change.promise
      await wait(DEBOUNCE_MS)
      change = newChange()
    })
  } finally {
    signal.removeEventListener('abort', interrupt)
    watcher.close()
  }
}

function newChange(): PromiseWithResolvers<void> {
  const change = Promise.withResolvers<void>()
  // Nobody waits for it while the models are read.
  change.promise.catch(() => undefined)
  return change
}
