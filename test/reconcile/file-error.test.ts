import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeWhole } from '../../src/reconcile/file-error.ts'
import { workspace } from './workspace.ts'

it('a file is not mixed with that of a process of the same number in another container', async () => {
  const path = join(workspace({}), 'plan.json')
  const other = `${path}.${process.pid}.unfinished`
  writeFileSync(other, 'of the other')
  await writeWhole(path, 'plan', 0o600)
  expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['plan', 'of the other'])
})
