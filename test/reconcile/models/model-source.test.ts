import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readModels } from '../../../src/reconcile/models/model-source.ts'
import { workspace } from '../workspace.ts'

function paths(cwd: string, directory = 'models'): string[] {
  return readModels(directory, cwd)
    .files.map(({ path }) => path)
    .sort()
}

describe('the model files of a directory', () => {
  it('are all YAML and JSON files at any depth, but no hidden ones and no packages', () => {
    const names = [
      'a.yaml',
      'b.yml',
      'deep/er/c.json',
      'D.YAML',
      'readme.md',
      '.hidden.yaml',
      '.git/x.yaml',
      'node_modules/p/x.json',
    ]
    const cwd = workspace(Object.fromEntries(names.map((name) => [`models/${name}`, ''])))
    expect(paths(cwd)).toEqual(['models/D.YAML', 'models/a.yaml', 'models/b.yml', 'models/deep/er/c.json'])
  })

  it('are named as seen from where the command was started', () => {
    const cwd = workspace({ 'repository/models/a.yaml': '', 'repository/deep/x': '' })
    expect(paths(join(cwd, 'repository/models'), '.')).toEqual(['a.yaml'])
    expect(paths(join(cwd, 'repository/deep'), '../models')).toEqual(['../models/a.yaml'])
  })

  it('may be linked; a circle of links ends, and no directory is read twice', () => {
    const cwd = workspace({ 'models/a.yaml': '', 'elsewhere/b.yaml': '', 'c.yaml': '' })
    symlinkSync('.', join(cwd, 'models/circle'))
    symlinkSync('../elsewhere', join(cwd, 'models/linked'))
    symlinkSync('../elsewhere', join(cwd, 'models/linked-again'))
    symlinkSync('../c.yaml', join(cwd, 'models/c.yaml'))
    expect(paths(cwd)).toEqual(['models/a.yaml', 'models/c.yaml', 'models/linked/b.yaml'])
  })

  it('are not read where a link leads out of the repository, or to what is hidden in it', () => {
    const cwd = workspace({ 'r/models/a.yaml': '', 'r/.git/x.yaml': '', 'outside/b.yaml': '', 'c.yaml': '' })
    symlinkSync('../../outside', join(cwd, 'r/models/directory'))
    symlinkSync('../../c.yaml', join(cwd, 'r/models/file.yaml'))
    symlinkSync('/proc/self/environ', join(cwd, 'r/models/secrets.yaml'))
    symlinkSync('../.git/x.yaml', join(cwd, 'r/models/hidden.yaml'))
    const { files, diagnostics } = readModels('models', join(cwd, 'r'))
    expect(files.map(({ path }) => path)).toEqual(['models/a.yaml'])
    const outside = expect.stringContaining(
      'it cannot be read: only files inside the repository of the models are read; without it records would be missing',
    ) as string
    expect(diagnostics.toSorted((a, b) => (a.file! < b.file! ? -1 : 1))).toMatchObject([
      { file: 'models/directory', severity: 'error', message: outside },
      { file: 'models/file.yaml', message: outside },
      { file: 'models/hidden.yaml', message: expect.stringContaining('hidden files and directories are not read') },
      { file: 'models/secrets.yaml', message: outside },
    ])
  })

  it('a link to nothing is an error: its records would be missing', () => {
    const cwd = workspace({ 'models/a.yaml': '' })
    symlinkSync('gone.yaml', join(cwd, 'models/link.yaml'))
    expect(readModels('models', cwd).diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'unreadable-file',
        file: 'models/link.yaml',
        message: expect.stringContaining('it does not exist'),
      },
    ])
  })

  it('so is a link to itself', () => {
    const cwd = workspace({ 'models/a.yaml': '' })
    symlinkSync('itself.yaml', join(cwd, 'models/itself.yaml'))
    expect(readModels('models', cwd).diagnostics).toMatchObject([
      { file: 'models/itself.yaml', message: expect.stringContaining('its symbolic links lead in a circle') },
    ])
  })

  it('a pointer of Git LFS is an error that says how to get the file', () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'
    const cwd = workspace({ 'models/a.yaml': '', 'models/large.yaml': pointer })
    expect(readModels('models', cwd).diagnostics).toMatchObject([
      { code: 'unreadable-file', file: 'models/large.yaml', message: expect.stringContaining('git lfs pull') },
    ])
  })

  it('a submodule that is not checked out is an error, and an empty directory elsewhere is none', () => {
    const cwd = workspace({ 'models/a.yaml': '', '.git/HEAD': 'ref: refs/heads/main\n' })
    mkdirSync(join(cwd, 'models/shared'))
    expect(readModels('models', cwd).diagnostics).toEqual([])
    writeFileSync(join(cwd, '.gitmodules'), '[submodule "shared"]\n')
    expect(readModels('models', cwd).diagnostics).toMatchObject([
      { code: 'unreadable-file', file: 'models/shared', message: expect.stringContaining('git submodule update') },
    ])
  })

  it('a directory whose name looks like a file is a directory', () => {
    const cwd = workspace({ 'models/a.yaml': '' })
    mkdirSync(join(cwd, 'models/empty.yaml'))
    expect(paths(cwd)).toEqual(['models/a.yaml'])
  })
})
