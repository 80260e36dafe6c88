import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakePlatform } from '../fake-platform.ts'
import { characteristic, live, models } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { firstLine, githubWithPullRequest, HEAD, NUMBER, onlyComment, pullRequestJob, step } from './step.ts'

// Who gets a comment or a check, and how many.

describe('a pull request that changes no models', () => {
  const others = { number: NUMBER, head: HEAD, files: ['README.md', 'models.md', 'docs/models/a.yaml'] }

  it('gets no comment', async () => {
    const github = await githubWithPullRequest()
    github.addPullRequest(others)
    const { code, stderr, summary } = await step(github)
    expect(stderr).toContain('No comment: the pull request changes neither the models nor their settings.')
    expect(github.comments(NUMBER)).toEqual([])
    expect(firstLine(summary)).toMatch(/^### Plan: /)
    expect(code).toBe(0)
  })

  it('has an earlier comment brought up to date', async () => {
    const github = await githubWithPullRequest()
    await step(github)
    github.addPullRequest(others)
    await step(github, { platform: new FakePlatform(live('a', 'b')), event: pullRequestJob({ run: 8 }) })
    expect(firstLine(onlyComment(github))).toMatch(/^### ✅ No changes on /)
  })

  it.each([
    ['a file that they refer to', 'docs/a.txt'],
    ['a file that was among them, by its former name', 'models/old.json'],
  ])('but %s, gets one', async (_, path) => {
    const github = await githubWithPullRequest()
    github.addPullRequest({ ...others, files: [path] })
    const named = JSON.stringify({ characteristics: [characteristic('a', { description: '${file:../docs/a.txt}' })] })
    await step(github, { cwd: workspace({ 'models/a.json': named, 'docs/a.txt': 'Text', '.git/HEAD': '' }) })
    expect(firstLine(onlyComment(github))).toMatch(/^### Plan: /)
  })

  it.each([
    ['plan', models('a', 'b')],
    ['error', '{"characteristics": [{}]}'],
  ])('but a file that a link of theirs leads to, gets one with the %s', async (_, text) => {
    const github = await githubWithPullRequest()
    github.addPullRequest({ ...others, files: ['shared/base.json'] })
    const cwd = workspace({ 'models/holdfast.yaml': '{}', 'shared/base.json': text, '.git/HEAD': '' })
    symlinkSync('../shared/base.json', join(cwd, 'models/base.json'))
    await step(github, { cwd })
    expect(firstLine(onlyComment(github))).toMatch(/^### (Plan|❌ Not planned): /)
  })

  it('gets one where GitHub does not tell', async () => {
    const github = await githubWithPullRequest()
    github.addPullRequest(others)
    github.next('pulls/list-files', () => ({
      status: 403,
      body: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' },
    }))
    const { stderr } = await step(github)
    expect(stderr).toContain('It is not known which files the pull request changes: GitHub answered 403')
    expect(firstLine(onlyComment(github))).toMatch(/^### Plan: /)
  })
})

describe('two directories of models on one platform', () => {
  it('have a comment each, which names the directory that is not the usual one', async () => {
    const github = await githubWithPullRequest()
    github.addPullRequest({ number: NUMBER, head: HEAD, files: ['models/a.json', 'site/models/b.json'] })
    const cwd = workspace({ 'models/a.json': models('a', 'b'), 'site/models/b.json': '{"characteristics": [{}]}' })
    await step(github, { cwd })
    await step(github, { cwd, line: 'plan --comment --models site/models' })
    await step(github, { cwd, event: pullRequestJob({ run: 8 }) })
    expect(github.comments(NUMBER).map(({ body }) => firstLine(body))).toEqual([
      '### Plan: 1 to create, 1 to delete on `embedded` · domain `local`',
      '### ❌ Not planned: 4 errors on `embedded` · `site/models`',
    ])
  })
})

describe('a check with the verdict', () => {
  it('is added to the commit where the job may do so', async () => {
    const github = await githubWithPullRequest({ mayCheck: true })
    await step(github)
    const cwd = workspace({ 'models/a.json': '{"characteristics": [{}]}' })
    await step(github, { cwd, event: pullRequestJob({ run: 8 }) })
    expect(github.checkRuns).toMatchObject([
      {
        name: 'Holdfast · embedded',
        head_sha: HEAD,
        conclusion: 'success',
        output: { title: 'Plan: 1 to create, 1 to delete on embedded · domain local' },
      },
      { conclusion: 'failure', output: { title: 'Not planned on embedded' } },
    ])
    expect(firstLine(github.checkRuns[0]?.output.summary ?? '')).toMatch(/^### Plan: /)
  })

  it('is left out if it may not, which only the log says', async () => {
    const { code, stderr } = await step(await githubWithPullRequest())
    expect(stderr).toContain('No check with the verdict: the job has no permission "checks: write".')
    expect(stderr).not.toContain('::warning title=Holdfast')
    expect(code).toBe(0)
  })
})
