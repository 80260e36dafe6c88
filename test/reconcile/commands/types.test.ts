import { expect, it } from 'vitest'
import { staleFiles } from '../../../src/codegen/emitter.ts'
import { EMITTERS } from '../../../src/codegen/generate.ts'
import { holdfast } from '../session.ts'
import { workspace } from '../workspace.ts'

it('types --check names what is out of date, and fails if anything is', async () => {
  const stale = await staleFiles(EMITTERS, new URL('../../../', import.meta.url))
  const stderr = `error: ${stale.join(', ')} out of date: run "holdfast types" and commit the result\n`
  const expected = stale.length === 0 ? { code: 0, stdout: '', stderr: '' } : { code: 1, stdout: '', stderr }
  expect(await holdfast('types --check', { cwd: workspace() })).toMatchObject(expected)
})

it('serve runs the server that it was given', async () => {
  let served = 0
  const serve = () => Promise.resolve(void (served += 1))
  expect(await holdfast('serve', { cwd: workspace(), parts: { serve } })).toMatchObject({ code: 0 })
  expect(served).toBe(1)
})
