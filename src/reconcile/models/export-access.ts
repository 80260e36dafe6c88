import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SETTINGS_FILE } from '../../documents/read/settings.ts'
import type { JsonObject } from '../../lib/json.ts'
import { accessYaml } from '../../documents/write/document-yaml.ts'
import { MARK, modeline } from './export-files.ts'
import { withFile } from './file-error.ts'

/** `foreign` says that there is a holdfast.yaml that no export wrote, which stays as it is. */
export type AccessWritten = 'written' | 'unchanged' | 'foreign' | 'nothing'

/** Writes the grants beside exported models. No file is made where there are no grants and no earlier file. */
export async function writeAccess(
  access: readonly JsonObject[],
  directory: string,
  cwd: string,
): Promise<AccessWritten> {
  const root = resolve(cwd, directory)
  const path = join(root, SETTINGS_FILE)
  const shown = join(directory, SETTINGS_FILE)
  const earlier = existsSync(path) ? await withFile('read', shown, () => readFile(path, 'utf8')) : null
  if (earlier === null && access.length === 0) return 'nothing'
  if (earlier !== null && !earlier.includes(MARK)) return 'foreign'
  const text = `${modeline(root, 'settings')}${MARK}\n\n${accessYaml(access)}`
  if (text === earlier) return 'unchanged'
  await withFile('write', shown, () => writeFile(path, text))
  return 'written'
}
