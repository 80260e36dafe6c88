import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryPaths } from '../../../src/reconcile/pull-request/repository-path.ts'
import { pathBelow } from '../../../src/shell/path-below.ts'

it('finds files in directories whose names begin with two dots, and none outside of the repository', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')))
  const pathOf = await repositoryPaths(root, { cwd: root, env: { ...process.env, GITHUB_WORKSPACE: root } })
  expect(pathOf('..models/site.yaml')).toBe('..models/site.yaml')
  for (const outside of ['.', '..', '../site.yaml', '/site.yaml']) expect(pathOf(outside)).toBeUndefined()
  expect(pathBelow(root, join(root, '..models'))).toBe('..models')
  expect(pathBelow(root, root)).toBe('')
})
