import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { branchesOf, deskAtGitHub, DESKS, type Desk } from '../revert/desk.ts'
import { characteristic, models } from '../sample.ts'
import { writeFiles } from '../workspace.ts'

// `adopt --pull-request`, with real Git and fakes of the forges. The models have one record, which somebody changed.

const ADOPT = 'adopt --pull-request --yes'

function drift({ platform }: Desk): void {
  platform.isDrifted = true
  platform.live = { characteristics: [characteristic('a', { symbol: 'K' })] }
}

function atForge({ git }: Desk, ...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: git.path, encoding: 'utf8' }).trim()
}

describe.each(DESKS)('$name', ({ open }) => {
  it('opens one pull request with the changed lines, and changes no file here', async () => {
    const { desk, opened } = await open()
    drift(desk)
    const done = await desk.run(ADOPT)
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' })
    expect(done.stdout).toMatch(
      /\nOpened https:\S+\d from the branch holdfast\/adopt-[0-9a-f]{8}; no file here was changed\n$/,
    )
    const [{ branch = '', title = '', body = '' } = {}] = opened()
    expect(title).toBe('Adopt a change made on embedded')
    expect(body).toContain('- `~ characteristics/a: symbol`')
    const file = atForge(desk, 'show', `${branch}:models/a.json`)
    expect(file).toBe(models('a').replace('"FLOAT"', '"FLOAT","symbol":"K"'))
    expect(atForge(desk, 'log', '-1', '--format=%P', branch)).toBe(desk.git.tip('main'))
    expect(desk.inClone('status', '--porcelain')).toBe('')
    const again = await desk.run(ADOPT)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('with these changes is open already: https:'),
    })
    expect(opened()).toHaveLength(1)
  })
})

describe('the clone of the user', () => {
  it('must have the files that are on the branch', async () => {
    const desk = await deskAtGitHub()
    drift(desk)
    writeFiles(desk.clone, { 'models/a.json': ` ${models('a')}` })
    const { code, stderr } = await desk.run(ADOPT)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('models/a.json is not as on main of origin; check out that branch and pull'),
    })
    expect(branchesOf(desk)).toEqual(['main'])
  })

  it('must not have the files in Git LFS, because only pointers would be pushed', async () => {
    const desk = await deskAtGitHub()
    drift(desk)
    const clean = String.raw`printf 'version https://git-lfs.github.com/spec/v1\noid sha256:'; sha256sum`
    desk.inClone('config', 'filter.lfs.clean', clean)
    desk.inClone('config', 'filter.lfs.smudge', `printf %s '${models('a')}'`)
    writeFiles(desk.clone, { '.gitattributes': '*.json filter=lfs\n' })
    desk.inClone('add', '--renormalize', '.')
    desk.inClone('add', '.gitattributes')
    desk.inClone('commit', '--quiet', '--message', 'Use Git LFS')
    desk.inClone('push', '--quiet', 'origin', 'main')
    const { code, stderr } = await desk.run(ADOPT)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('models/a.json is in Git LFS') })
    expect(branchesOf(desk)).toEqual(['main'])
  })

  it('keeps its other files, and what is staged', async () => {
    const desk = await deskAtGitHub()
    drift(desk)
    writeFiles(desk.clone, { 'notes.txt': 'mine' })
    desk.inClone('add', 'notes.txt')
    expect(await desk.run(ADOPT)).toMatchObject({ code: 0 })
    expect(desk.inClone('status', '--porcelain')).toBe('A  notes.txt')
    expect(readFileSync(join(desk.clone, 'models/a.json'), 'utf8')).toBe(models('a'))
    expect(desk.inClone('worktree', 'list').split('\n')).toHaveLength(1)
  })
})

it('the remote is origin or the only one, and never one of several', async () => {
  const desk = await deskAtGitHub()
  drift(desk)
  desk.inClone('remote', 'rename', 'origin', 'company')
  desk.inClone('remote', 'add', 'a-public-fork', 'https://github.com/somebody/models.git')
  const { code, stderr } = await desk.run(ADOPT)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/needs the remote origin.*company/) })
  desk.inClone('remote', 'remove', 'a-public-fork')
  expect(await desk.run(ADOPT)).toMatchObject({ code: 0 })
})

it('the commit says nothing that a platform can choose', async () => {
  const desk = await deskAtGitHub()
  desk.platform.isDrifted = true
  desk.platform.live = { characteristics: [characteristic('a'), characteristic('[skip ci]')] }
  expect(await desk.run(ADOPT)).toMatchObject({ code: 0 })
  const [{ branch = '', body = '' } = {}] = desk.github.pulls
  expect(body).toContain('[skip ci]')
  expect(atForge(desk, 'log', '-1', '--format=%B', branch)).toBe('Adopt changes made on the platform')
})

it('a token in the address of a remote is not shown', async () => {
  const desk = await deskAtGitHub()
  drift(desk)
  desk.inClone('remote', 'set-url', 'origin', 'https://ann:a-token@code.example.com/models')
  const { code, stderr } = await desk.run(ADOPT)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('the remote https://code.example.com/models is at no forge'),
  })
})

it('line breaks are stored as the attributes of the files say', async () => {
  const desk = await deskAtGitHub()
  drift(desk)
  writeFiles(desk.clone, { '.gitattributes': '*.json text eol=crlf\n', 'models/a.json': `${models('a')}\r\n` })
  desk.inClone('add', '.')
  desk.inClone('commit', '--quiet', '--message', 'Store as text')
  desk.inClone('push', '--quiet', 'origin', 'HEAD:main')
  expect(desk.inClone('status', '--porcelain')).toBe('')
  expect(await desk.run(ADOPT)).toMatchObject({ code: 0, stderr: '' })
  const [{ branch = '' } = {}] = desk.github.pulls
  expect(atForge(desk, 'show', `${branch}:models/a.json`)).not.toContain('\r')
})

it('nothing is opened without a yes, or without drift', async () => {
  const desk = await deskAtGitHub()
  expect(await desk.run(ADOPT)).toMatchObject({ code: 0, stdout: 'Nothing to adopt.\n' })
  drift(desk)
  const asked = await desk.run('adopt --pull-request', { answer: 'no' })
  expect(asked).toMatchObject({
    code: 1,
    questions: [expect.stringMatching(/^Open a pull request at https:\S+models\? /)],
  })
  expect(await desk.run('adopt --pull-request --dry-run')).toMatchObject({ code: 0 })
  expect(branchesOf(desk)).toEqual(['main'])
})
