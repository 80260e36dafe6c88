import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The committed text of a golden file. With `UPDATE_GOLDEN=1` the actual text is written first; read the difference
 * before you commit it.
 */
export function golden(file: URL, actual: string): string {
  const path = fileURLToPath(file)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, actual)
  }
  return readFileSync(path, 'utf8')
}
