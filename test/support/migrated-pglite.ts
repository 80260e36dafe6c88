import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Puts a migrated database into a data directory: to make one takes a server several seconds, and few tests are about it. */
export function putMigratedPglite(dataDir: string): void {
  const directory = join(dataDir, 'pglite')
  mkdirSync(directory, { recursive: true })
  execFileSync('tar', ['-xf', inject('migratedPgliteTemplate'), '-C', directory])
}
