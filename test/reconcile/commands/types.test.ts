import { describe, expect, it } from 'vitest'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

function partsWith(paths: readonly string[]) {
  const files = { stale: () => Promise.resolve(paths), write: () => Promise.resolve(paths) }
  return { generatedFiles: () => Promise.resolve(files) }
}

describe.each([
  { paths: [], check: { code: 0, stdout: '', stderr: '' }, write: 'generated/ is up to date\n' },
  {
    paths: ['generated/a.ts', 'generated/b.md'],
    check: {
      code: 1,
      stdout: '',
      stderr: 'error: generated/a.ts, generated/b.md out of date: run "holdfast types" and commit the result\n',
    },
    write: 'wrote generated/a.ts, generated/b.md\n',
  },
])('where $paths.length files are out of date', ({ paths, check, write }) => {
  it('types --check says which', async () => {
    expect(await holdfast('types --check', { cwd: workspace(), parts: partsWith(paths) })).toMatchObject(check)
  })

  it('types writes them', async () => {
    const outcome = await holdfast('types', { cwd: workspace(), parts: partsWith(paths) })
    expect(outcome).toMatchObject({ code: 0, stdout: write, stderr: '' })
  })
})

it('serve runs the server that it was given', async () => {
  let served = 0
  const serve = () => Promise.resolve(void (served += 1))
  expect(await holdfast('serve', { cwd: workspace(), parts: { serve } })).toMatchObject({ code: 0 })
  expect(served).toBe(1)
})
