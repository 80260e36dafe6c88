import { existsSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Io } from '../../shell/io.ts'
import { withFile } from '../file-error.ts'

/** Waits for the next change. It rejects after Ctrl-C. */
export type NextChange = () => Promise<void>

/** Editors write a file in several steps, and Git writes many files. Changes this close together count as one. */
const DEBOUNCE_MS = 100

/** Watches all files below a directory while `work` runs, even if it is made again. Links are not followed. */
export async function watching<T>(
  directory: string,
  { cwd, signal, wait }: Pick<Io, 'cwd' | 'signal' | 'wait'>,
  work: (next: NextChange) => Promise<T>,
): Promise<T> {
  const path = resolve(cwd, directory)
  await withFile('watch', directory, () => readdir(path))
  let change = Promise.withResolvers<void>()
  let failure: Error | null = null
  const wake = () => change.resolve()
  const fail = (error: Error) => {
    failure = error
    wake()
  }
  const open = () => watch(path, { recursive: true }).on('change', wake).on('error', fail)
  let watcher = open()
  const parent = watch(dirname(path)).on('error', fail)
  parent.on('change', (event, name) => {
    if (event !== 'rename' || name !== basename(path)) return
    watcher.close()
    if (existsSync(path)) watcher = open()
    wake()
  })
  signal.addEventListener('abort', wake)
  const check = () => {
    signal.throwIfAborted()
    if (failure !== null) throw failure
  }
  try {
    return await work(async () => {
      check()
      await change.promise
      check()
      await wait(DEBOUNCE_MS)
      change = Promise.withResolvers()
    })
  } finally {
    signal.removeEventListener('abort', wake)
    watcher.close()
    parent.close()
  }
}
