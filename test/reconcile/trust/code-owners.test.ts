import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureCodeOwners } from '../../../src/reconcile/trust/code-owners.ts'
import { workspace } from '../workspace.ts'

// Who must agree to changes of holdfast.yaml: GitHub takes the last line of CODEOWNERS that fits a file.

const FILE = 'models/holdfast.yaml'

async function ensure(text: string, path = FILE): Promise<{ readonly done: string; readonly added: string }> {
  const root = workspace({ CODEOWNERS: text })
  const { done } = await ensureCodeOwners(root, path, ['@acme/platform'])
  return { done, added: readFileSync(join(root, 'CODEOWNERS'), 'utf8').slice(text.length) }
}

describe('a line of the file itself', () => {
  it.each([
    ['is the last one', '* @all\n/models/holdfast.yaml @ann\n'],
    [
      'stands before lines of other files',
      '/models/holdfast.yaml @ann\n/docs/ @writers\n/models/holdfast.yaml.md @bo\nMakefile @bo\n',
    ],
    ['is written without its slash, with a comment', 'models/holdfast.yaml @ann # ours\n'],
    ['has no owners, which is a decision, too', '/models/holdfast.yaml\n'],
  ])('counts where it %s', async (_, text) => {
    expect(await ensure(text)).toEqual({ done: 'kept', added: '' })
  })

  it.each([
    '* @all',
    '*.yaml @all',
    '/models/ @all',
    'models/ @all',
    'models @all',
    'holdfast.yaml @all',
    '/models/* @all',
  ])('does not count where a later line takes its place: %s', async (later) => {
    const { done, added } = await ensure(`/models/holdfast.yaml @ann\n${later}\n`)
    expect(done).toBe('changed')
    expect(added).toMatch(/^#.*\n\/models\/holdfast\.yaml @acme\/platform\n$/)
  })

  it('is another one in a folder with a space in its name', async () => {
    const path = 'my models/holdfast.yaml'
    expect(await ensure('/my\\ models/holdfast.yaml @ann\n', path)).toEqual({ done: 'kept', added: '' })
    expect((await ensure('/my @ann\n', path)).added).toContain('/my\\ models/holdfast.yaml @acme/platform\n')
  })
})

it('two files of one repository keep a line each, however often they are asked for', async () => {
  const root = workspace({ CODEOWNERS: '* @all\n' })
  for (const path of [FILE, 'cooling/holdfast.yaml', FILE, 'cooling/holdfast.yaml'])
    await ensureCodeOwners(root, path, ['@acme'])
  expect(readFileSync(join(root, 'CODEOWNERS'), 'utf8').match(/^\/.*$/gm)).toEqual([
    '/models/holdfast.yaml @acme',
    '/cooling/holdfast.yaml @acme',
  ])
})
