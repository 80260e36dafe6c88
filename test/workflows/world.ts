import { settingsOf } from '../../src/documents/read/settings-file.ts'
import { createDelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { startFakeActions } from '../end-to-end/fake-actions.ts'
import { characteristic } from '../reconcile/sample.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { FakeGitHub } from '../support/fake-github.ts'
import { applyAll } from '../support/domain.ts'
import { startLoginServer, type LoginServer } from '../support/login-server.ts'
import { startCommands } from './commands.ts'
import {
  type Event,
  mergeGroupEvent,
  OWNER_ID,
  pullRequestEvent,
  pushEvent,
  REPOSITORY,
  type PullRequest,
} from './events.ts'
import { startGitHubGate, type GitHubGate } from './github-gate.ts'
import { makeGitRepository, type GitRepository } from './git-repository.ts'
import { HOLDFAST, makeRunner, type Run, type Runner } from './runner.ts'

// A company with a repository of models at GitHub, and a platform that trusts it.

export const WORKFLOW = '.github/workflows/holdfast.yml'

export interface World {
  readonly server: LoginServer
  readonly github: FakeGitHub
  readonly gate: GitHubGate
  readonly git: GitRepository
  readonly runner: Runner
  /** Pushes a branch, opens a pull request for it, and runs what that starts. */
  propose(branch: string, files: Files): Promise<{ readonly pull: PullRequest; readonly run: Run }>
  /** Merges it as it is now, and runs what that starts. */
  merge(pull: PullRequest, claims?: Event['claims']): Promise<Run>
  /** Runs the jobs of its merge again, as somebody does by hand. */
  applyAgain(pull: PullRequest): Promise<Run>
  /** Puts main back to before the last merge. */
  revert(): void
  /** A query or mutation on the platform, as somebody with all rights. */
  ask(query: string): Promise<unknown>
  /** As a merge queue tries it, behind what is there already. */
  queue(pull: PullRequest, onto?: string): Promise<{ readonly run: Run; readonly group: string }>
  close(): Promise<void>
}

export type Files = { readonly [path: string]: string | null }

/** The model of one file for each characteristic: what Git can merge by itself. */
export function modelFile(code: string, more: object = {}): Files {
  return { [`models/${code}.yaml`]: JSON.stringify({ characteristics: [{ ...characteristic(code), ...more }] }) }
}

/** What the server itself has put there is left to it. */
const HELD = {
  acknowledge: (['applicationConsumers', 'users'] as const).map((type) => ({
    code: 'leaves-scope',
    type,
    reason: 'Not ours',
  })),
}
const SETTINGS = { 'models/holdfast.yaml': JSON.stringify(HELD) }

/** What `holdfast init` writes, as files. */
async function initialFiles(directory: string, url: string): Promise<void> {
  const line = `init . --url ${url} --action ${HOLDFAST.repository}@${HOLDFAST.commit}`
  const { code, stderr } = await holdfast(line, { cwd: directory })
  if (code !== 0) throw new Error(stderr)
}

export async function startWorld(options: { readonly database?: DatabaseKind } = {}): Promise<World> {
  const actions = await startFakeActions()
  const server = await startLoginServer({ allowedOrigins: [actions.origin], ...options })
  await trustRepository(server, actions.issuer)
  const github = new FakeGitHub({ repository: REPOSITORY.full_name, mayCheck: true })
  await github.listen()
  const gate = await startGitHubGate(github)
  const git = makeGitRepository({})
  await git.edit((desk) => initialFiles(desk, server.url), {
    ...SETTINGS,
    'models/rooms.yaml': null,
    ...modelFile('a'),
  })
  await applyAll(server.context, { characteristics: [characteristic('a')] }, settingsOf(HELD))
  const operator = await makeMachine(server.context, 'operator')
  const token = await giveToken(server.context, operator)
  const variables = { HOLDFAST_URL: server.url }
  const commands = await startCommands()
  const runner = makeRunner({ git, actions, commands, apiUrl: gate.url, token: gate.token, variables })
  const numbers = new Map<string, number>()
  const merges = new Map<number, string>()
  return {
    server,
    github,
    gate,
    git,
    runner,
    async propose(branch, files) {
      const number = numbers.get(branch) ?? numbers.size + 1
      numbers.set(branch, number)
      const head = git.commit(branch, files)
      const pull = { number, branch, head, merged: git.tryMerge(branch) }
      github.addPullRequest({ number, head })
      return { pull, run: await runner.run(WORKFLOW, pullRequestEvent(pull)) }
    },
    async merge({ number, branch, head }, claims = {}) {
      const before = git.tip('main')
      const commit = git.tryMerge(branch, 'main', `Merge pull request #${number} from acme/${branch}`)
      git.moveMain(commit)
      merges.set(number, commit)
      github.addPullRequest({ number, head, merged: true, mergeCommit: commit })
      return runner.run(WORKFLOW, { ...pushEvent(commit, before), claims })
    },
    applyAgain: ({ number }) => runner.run(WORKFLOW, pushEvent(merges.get(number) ?? '')),
    revert: () => git.moveMain(git.tip('main~1')),
    ask: (query) => ask(server.url, token, query),
    async queue(pull, onto = 'main') {
      const group = git.tryMerge(pull.branch, onto)
      return { group, run: await runner.run(WORKFLOW, mergeGroupEvent(pull, group)) }
    },
    async close() {
      await server.close()
      await gate.close()
      await github.close()
      await actions.close()
      git.close()
      runner.close()
      commands.close()
      if (github.problems.length > 0) throw new Error(github.problems.join('\n'))
    },
  }
}

/** As docs/pull-requests.md says that it is set up. */
async function trustRepository(server: LoginServer, issuer: string): Promise<void> {
  for (const login of ['github-plan', 'github-apply']) await makeMachine(server.context, login)
  await createDelegatedMethod(server.context, {
    status: 'ACTIVATED',
    configuration: {
      clientId: server.url,
      issuer,
      githubActions: {
        repositoryId: String(REPOSITORY.id),
        repositoryOwnerId: String(OWNER_ID),
        environment: 'production',
        runsByHand: true,
        planMachineUser: 'github-plan',
        applyMachineUser: 'github-apply',
      },
    },
  })
}

async function ask(url: string, token: string, query: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown }
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data
}
