import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { blocks } from '../end-to-end/markdown.ts'
import { startFakeActions } from '../end-to-end/fake-actions.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import type { FakeForge } from '../support/fake-forge.ts'
import { startLoginServer } from '../support/login-server.ts'
import { askOf } from './ask-graphql.ts'
import { ACTION, model } from './forge-models.ts'
import { makeGitRepository, type FileChanges, type GitRepository } from './git-repository.ts'
import type { JobRun, Pipeline, Trigger } from './pipelines.ts'

/** A repository of models on a fake forge, with a platform that its jobs sign in to. */
export interface ForgeRepository {
  readonly url: string
  /** Of somebody with all rights on the platform. */
  readonly token: string
  readonly actions: Awaited<ReturnType<typeof startFakeActions>>
  readonly git: GitRepository
  readonly fake: FakeForge
  ask(query: string): Promise<unknown>
  /** The characteristics of the platform. */
  codes(): Promise<string[]>
  /** Runs what the trigger starts, which is this job alone. */
  job(trigger: Trigger, name: string): Promise<JobRun>
  /** Pushes a branch, and runs the plan of its pull request. */
  propose(number: number, branch: string, files: FileChanges, more?: Partial<Trigger>): Promise<JobRun>
  /** Merges with a merge commit, and runs the apply. */
  merge(number: number, branch: string): Promise<JobRun>
  close(): Promise<void>
}

/** The server's own records are left to it. */
const SETTINGS = JSON.stringify({
  acknowledge: ['applicationConsumers', 'users'].map((type) => ({ code: 'leaves-scope', type, reason: 'Not ours' })),
})

/** Makes the repository by `holdfast init`, and the trust by the mutation of the how-to. */
export async function openForgeRepository(pipeline: Pipeline): Promise<ForgeRepository> {
  const actions = await startFakeActions(pipeline.issuerPath)
  const server = await startLoginServer({ allowedOrigins: [actions.origin] })
  const token = await giveToken(server.context, await makeMachine(server.context, 'operator'))
  const git = makeGitRepository({})
  const { fake, run } = pipeline.open()
  const world = { git, actions, url: server.url, forgeOrigin: '', forgeFetch: fetch }
  const ask = (query: string) => askOf(server.url, token)(query)
  const repository: ForgeRepository = {
    url: server.url,
    token,
    actions,
    git,
    fake,
    ask,
    async codes() {
      const found = (await ask('{ characteristics { nodes { code } } }')) as {
        characteristics: { nodes: { code: string }[] }
      }
      return found.characteristics.nodes.map(({ code }) => code).sort()
    },
    async job(trigger, name) {
      const runs = await run(trigger, world)
      expect(runs.map((one) => one.job)).toEqual([name])
      return runs[0]!
    },
    async propose(number, branch, files, more = {}) {
      const base = git.tip('main')
      const commit = git.commit(branch, files)
      fake.addPull(number, commit, Object.keys(files))
      return repository.job({ kind: 'proposal', branch, commit, number, base, ...more }, 'plan')
    },
    async merge(number, branch) {
      const before = git.tip('main')
      const commit = git.tryMerge(branch)
      git.moveMain(commit)
      fake.merge(number, commit)
      return repository.job({ kind: 'push', branch: 'main', commit, before }, 'apply')
    },
    async close() {
      git.close()
      await server.close()
      await actions.close()
    },
  }
  await git.edit(
    async (cwd) => {
      const made = await holdfast(`init . ${pipeline.initOption} --action ${ACTION}`, { cwd })
      expect(made.code).toBe(0)
    },
    { 'models/rooms.yaml': null, 'models/holdfast.yaml': SETTINGS, ...model('a') },
  )
  const page = readFileSync(new URL(`../../docs/how-to/${pipeline.howTo}`, import.meta.url), 'utf8')
  const [mutation = ''] = blocks(page, 'graphql')
  const query = mutation
    .replace('https://acme.example.com', server.url)
    .replace(/https:\/\/(?:gitlab|forgejo)\.example\.com[^"]*/, actions.issuer)
  expect(await ask(query)).toMatchObject({ createOpenIdDelegatedAuthenticationMethod: { status: 'ACTIVATED' } })
  const push = { kind: 'push', branch: 'main', commit: git.tip('main') } as const
  expect(await repository.job(push, 'apply')).toMatchObject({ code: 1 })
  const first = { HOLDFAST_TOKEN: token, HOLDFAST_URL: server.url }
  await git.edit(async (cwd) => {
    expect((await holdfast('apply --yes', { cwd, env: first, fetch: (request) => fetch(request) })).code).toBe(0)
  }, {})
  return repository
}
