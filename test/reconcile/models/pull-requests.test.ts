import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { changedRecords, pullRequestIn, withPullRequests } from '../../../src/reconcile/models/pull-requests.ts'

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

function repository() {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-commits-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], { cwd, encoding: 'utf8' })
  git('init', '-q')
  return {
    cwd,
    commit(message: string, files: { readonly [path: string]: string | Buffer }) {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text)
      git('add', '.')
      git('commit', '-qm', message)
      return git('rev-parse', 'HEAD').trim()
    },
  }
}

it('finds the changed records of a file that follows one in another encoding', async () => {
  const { cwd, commit } = repository()
  const [before = '', after = ''] = ['Before', 'After'].map((name) =>
    commit(name, {
      'a.yaml': Buffer.from(`# ${'ä'.repeat(50)} ${name}\n`, 'latin1'),
      'b.yaml': `services:\n  - code: b\n    name: ${name}\n`,
    }),
  )
  expect(await changedRecords(before, after, '.', { cwd, env: process.env })).toEqual(new Set(['services/b']))
})

it.each([
  ['small', 1, ['#1', '#2']],
  ['large', 17 * 1024 * 1024, [undefined, '#2']],
])('looks through the commits of a %s file', async (_, size, found) => {
  const { cwd, commit } = repository()
  const text = (...names: readonly string[]) =>
    `#${' '.repeat(size)}\nservices:\n${names.map((name, at) => `  - code: s${at}\n    name: ${name}\n`).join('')}`
  commit('Begin', { 'a.yaml': text('A', 'B') })
  commit('One (#1)', { 'a.yaml': text('A1', 'B') })
  commit('Two (#2)', { 'a.yaml': text('A1', 'B2') })
  const waitsFor = ['s0', 's1'].map((key) => ({ type: 'services', key }))
  const plan = { own: { waitsFor, waiting: { records: [] } } } as unknown as Plan
  const { own } = await withPullRequests(plan, 'HEAD', '.', { cwd, env: process.env })
  expect(own?.waitsFor.map(({ pullRequest }) => pullRequest)).toEqual(found)
})
