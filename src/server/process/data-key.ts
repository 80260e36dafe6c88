import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { makePrivateFile, readPrivateFile } from './private-file.ts'

const KEY_BYTES = 32

/** The key of a data directory, made on the first start. Losing it means losing the fingerprints of all secrets. */
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
