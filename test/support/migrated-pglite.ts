import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * Copies a migrated database into a data directory. A server takes several seconds to make one, and few tests need
 * that.
 */
export function putMigratedPglite(dataDir: string): void {
  const directory = join(dataDir, 'pglite')
  mkdirSync(directory, { recursive: true })
  execFileSync('tar', ['-xf', inject('migratedPgliteTemplate'), '-C', directory])
}
