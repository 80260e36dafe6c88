import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Files = { readonly [path: string]: string }

/** A directory of its own with these files in it, removed when the test ends. */
export function workspace(files: Files = {}): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  writeFiles(directory, files)
  return directory
}

export function writeFiles(directory: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}
