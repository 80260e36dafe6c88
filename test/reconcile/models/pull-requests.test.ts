import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changedRecords, pullRequestIn } from '../../../src/reconcile/models/pull-requests.ts'

describe('the pull request in the message of a commit', () => {
  it.each([
    ['GitHub, a merge', 'Merge pull request #12 from acme/pump\n\nA pump', '#12'],
    ['GitHub, squashed', 'A pump (#12)\n\n* One\n* Two (#11)', '#12'],
    ['GitHub, taken back', 'Revert "A pump (#12)" (#15)', '#15'],
    ['Gitea and Forgejo', "Merge pull request 'A pump (#3)' (#12) from pump into main", '#12'],
    ['GitLab', "Merge branch 'pump' into 'main'\n\nA pump (#3)\n\nSee merge request acme/plants/models!12", '!12'],
    ['Bitbucket', 'Merged in pump (pull request #12)', '#12'],
    ['nobody', 'A pump for #12', null],
    ['nobody, at the end of another line', 'A pump\n\nas said (#12)', null],
  ])('%s', (_, message, expected) => {
    expect(pullRequestIn(message)).toBe(expected)
  })
})

it('finds the changed records of a file that follows one in another encoding', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-encoding-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], { cwd, encoding: 'utf8' })
  const commit = (name: string) => {
    writeFileSync(join(cwd, 'a.yaml'), Buffer.from(`# ${'ä'.repeat(50)} ${name}\n`, 'latin1'))
    writeFileSync(join(cwd, 'b.yaml'), `services:\n  - code: b\n    name: ${name}\n`)
    git('add', '.')
    git('commit', '-qm', name)
    return git('rev-parse', 'HEAD').trim()
  }
  git('init', '-q')
  const [before, after] = [commit('Before'), commit('After')]
  expect(await changedRecords(before, after, '.', { cwd, env: process.env })).toEqual(new Set(['services/b']))
})
