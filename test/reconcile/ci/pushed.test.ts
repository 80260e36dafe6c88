import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { pushedParts } from '../../../src/reconcile/ci/pushed.ts'
import type { JobReport } from '../../../src/reconcile/pull-request/job-report.ts'
import { workspace } from '../workspace.ts'

it('a push of more commits than are looked up is refused, and none of them is dropped', async () => {
  const cwd = workspace()
  const git = (words: readonly string[], input = '') =>
    execFileSync('git', words, { cwd, input, encoding: 'utf8', stdio: 'pipe' }).trim()
  git(['init', '--quiet', '--initial-branch=main'])
  git(['fast-import', '--quiet'], 'commit refs/heads/main\ncommitter Ann <a@example.org> 1 +0000\ndata 0\n'.repeat(252))
  const [commit = '', ...older] = git(['rev-list', 'main']).split('\n')
  const partsSince = (before: string | undefined) =>
    pushedParts({
      job: { commit, branch: 'main', event: { kind: 'other', before } },
      io: { cwd, env: process.env },
      forge: async () => ({ mergedPullRequest: async () => null }),
    } as unknown as JobReport)
  expect(await partsSince(older[249])).toHaveLength(250)
  await expect(partsSince(older[250])).rejects.toThrow('the push has more than 250 commits')
})
