import { chmodSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { directoryError, makeDataDirectory } from '../../db/data-directory.ts'
import { isObject } from '../../lib/json.ts'
import { randomBytes } from 'node:crypto'
import { HoldfastError } from '../../lib/errors.ts'

// These files contain secrets. Only their owner can read them, and they are always complete.

/** Returns null if the file does not exist. */
export function readPrivateFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isObject(error) && error['code'] === 'ENOENT') return null
    throw directoryError(error, `cannot read ${path}`, dirname(path))
  }
}

/** Creates the file unless another process was faster, and returns its content. */
function makePrivateFile(path: string, text: string): string {
  return writing(path, () => {
    const unfinished = write(path, text)
    try {
      linkSync(unfinished, path)
      return text
    } catch (error) {
      if (isObject(error) && error['code'] === 'EEXIST') return readFileSync(path, 'utf8')
      throw error
    } finally {
      rmSync(unfinished, { force: true })
    }
  })
}

export function replacePrivateFile(path: string, text: string): void {
  writing(path, () => renameSync(write(path, text), path))
}

function writing<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw directoryError(error, `cannot write ${path}`, dirname(path))
  }
}

function write(path: string, text: string): string {
  makeDataDirectory(dirname(path))
  // Processes of two containers may have the same number.
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.new`
  // The file is renamed only when it is complete, so a power cut cannot leave half of it.
  writeFileSync(unfinished, text, { mode: 0o600, flush: true, flag: 'wx' })
  chmodSync(unfinished, 0o600)
  return unfinished
}

const KEY_BYTES = 32

/** Returns the key of a data directory, created at the first start. Without it, secrets' fingerprints are lost. */
export function dataKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'key')
  const text = readPrivateFile(path) ?? makePrivateFile(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  const key = new Uint8Array(Buffer.from(text, 'base64'))
  if (key.length === KEY_BYTES) return key
  throw new HoldfastError(
    'CONFLICT',
    `${path} does not hold a key of ${KEY_BYTES} bytes in base64; restore it, or set HOLDFAST_KEY`,
  )
}
