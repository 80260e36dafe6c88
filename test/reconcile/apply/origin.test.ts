import { execFileSync } from 'node:child_process'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { originOf } from '../../../src/reconcile/apply/read-origin.ts'
import { workspace, writeFiles } from '../workspace.ts'

const env = { PATH: process.env['PATH'], HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' }

function repository(): { directory: string; commit: string } {
  const directory = workspace({ 'models/a.yaml': '', 'other.txt': '' })
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: directory, env, encoding: 'utf8', stdio: 'pipe' }).trim()
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', 'https://ada:token@git.example/lindenhof/models.git')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'models')
  return { directory, commit: git('rev-parse', 'HEAD') }
}

describe('where models come from', () => {
  it.each(['ada:token', 'ada:p@ss', 'token'])('the repository without %s in its address', async (secret) => {
    const { directory } = repository()
    const words = ['remote', 'set-url', 'origin', `https://${secret}@git.example/models.git`]
    execFileSync('git', words, { cwd: directory, env })
    expect(await originOf(directory, env)).toMatchObject({ repository: 'https://git.example/models.git' })
  })

  it('commit, branch, and the repository without the token in its address', async () => {
    const { directory, commit } = repository()
    expect(await originOf(join(directory, 'models'), env)).toEqual({
      commit,
      folder: 'models',
      ref: 'refs/heads/main',
      repository: 'https://git.example/lindenhof/models.git',
    })
  })

  it('a commit that is not quite what the models are is marked', async () => {
    const { directory, commit } = repository()
    writeFiles(directory, { 'other.txt': 'changed' })
    expect((await originOf(join(directory, 'models'), env)).commit).toBe(commit)
    writeFiles(directory, { 'models/b.yaml': '' })
    expect((await originOf(join(directory, 'models'), env)).commit).toBe(`${commit}-dirty`)
  })

  it('a new file marks the commit, also if the person hides such files', async () => {
    const { directory, commit } = repository()
    execFileSync('git', ['config', 'status.showUntrackedFiles', 'no'], { cwd: directory, env })
    writeFiles(directory, { 'models/b.yaml': '' })
    expect((await originOf(join(directory, 'models'), env)).commit).toBe(`${commit}-dirty`)
  })

  it('the pull request that the message of the commit names, also of an earlier commit', async () => {
    const { directory, commit } = repository()
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: directory, env, stdio: 'pipe' })
    const as = [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
    ] as const
    git(...as, 'Warm up the rooms (#12)')
    expect(await originOf(join(directory, 'models'), env)).toMatchObject({ pullRequest: '#12' })
    writeFiles(directory, { 'models/a.yaml': 'changed' })
    expect(await originOf(join(directory, 'models'), env)).not.toHaveProperty('pullRequest')
    expect(await originOf(join(directory, 'models'), env, { at: commit })).toMatchObject({ commit })
    expect(await originOf(join(directory, 'models'), env, { at: 'HEAD' })).toMatchObject({ pullRequest: '#12' })
    expect(await originOf(join(directory, 'models'), env, { base: 'HEAD~1' })).toMatchObject({ base: commit })
  })

  it('a directory made up to look like a repository of its own is not asked, nor is a program run that it names', async () => {
    const { directory } = repository()
    const models = join(directory, 'models')
    const ran = join(directory, 'ran')
    writeFiles(models, {
      HEAD: 'ref: refs/heads/main\n',
      config: `[core]\n repositoryformatversion = 0\n bare = false\n worktree = .\n[filter "x"]\n clean = touch '${ran}'; cat\n`,
      'objects/x': '',
      'refs/x': '',
      '.gitattributes': 'a.yaml filter=x\n',
    })
    execFileSync('git', ['-c', 'filter.x.clean=cat', 'add', 'a.yaml'], {
      cwd: models,
      env,
      stdio: 'pipe',
    })
    utimesSync(join(models, 'a.yaml'), 1, 1)
    expect(await originOf(models, env)).toEqual({ folder: 'models' })
    expect(existsSync(ran)).toBe(false)
    // What it would be otherwise.
    execFileSync('git', ['status'], { cwd: models, env, stdio: 'pipe' })
    expect(existsSync(ran)).toBe(true)
  })

  it('no repository and no Git are no reason to fail', async () => {
    expect(await originOf(workspace(), env)).toEqual({})
    expect(await originOf(workspace(), { PATH: '/nowhere' })).toEqual({})
  })
})
