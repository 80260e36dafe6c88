import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeActions } from '../end-to-end/fake-actions.ts'
import type { Commands } from './commands.ts'
import { claimsOf, REPOSITORY, type Event } from './events.ts'
import { fillAll, fillText, holds, type Contexts } from './expressions.ts'
import { parseYaml, readProjectFile, type Access, type Job, type Permissions, type Workflow } from './files.ts'
import type { GitRepository } from './git-repository.ts'
import { runSteps, searchPath } from './run-steps.ts'

// A small runner of workflows: jobs with their conditions, permissions and environments, workflows that call others.

/** Where another repository finds Holdfast. */
export const HOLDFAST = { repository: 'holdfast/holdfast', commit: '0123456789abcdef0123456789abcdef01234567' } as const

export interface World {
  readonly git: GitRepository
  /** Signs the OpenID tokens of the jobs. */
  readonly actions: FakeActions
  readonly commands: Commands
  readonly apiUrl: string
  /** The token of a job that has these permissions. */
  token(permissions: Permissions): string
  readonly variables: { readonly [name: string]: string }
}

export interface JobRun {
  readonly result: 'success' | 'failure' | 'skipped'
  readonly log: string
  readonly summary: string
  readonly permissions: Permissions
  readonly outputs: { readonly [name: string]: string }
}

export interface Run {
  readonly id: number
  /** By name: `plan`, or `call/plan` where another workflow was called. */
  readonly jobs: { readonly [name: string]: JobRun }
}

export interface Runner {
  /** The text of a file that a run has kept. */
  artifact(run: number, name: string, file: string): string
  run(workflow: string, event: Event): Promise<Run>
  /** The same repository with these variables. */
  with(variables: World['variables']): Pick<Runner, 'run'>
  close(): void
}

export function makeRunner(world: World): Runner {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-runner-'))
  const shared = { home, path: searchPath(home, world.commands), artifacts: join(home, 'artifacts') }
  let runs = 1_000
  const run = async (inWorld: World, workflow: string, event: Event): Promise<Run> => {
    runs += 1
    const text = world.git.read(event.commit, workflow)
    const origin = { repository: REPOSITORY.full_name, commit: event.commit, path: workflow }
    const call = { world: inWorld, shared, event, runId: runs, origin, inputs: {}, allowed: null }
    return { id: runs, jobs: await runJobs(text, call) }
  }
  return {
    artifact: (run, name, file) => readFileSync(join(shared.artifacts, String(run), name, file), 'utf8'),
    run: (workflow, event) => run(world, workflow, event),
    with: (variables) => ({ run: (workflow, event) => run({ ...world, variables }, workflow, event) }),
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

interface Call {
  readonly world: World
  readonly shared: { readonly home: string; readonly path: string; readonly artifacts: string }
  readonly event: Event
  readonly runId: number
  /** Where the workflow file is. */
  readonly origin: { readonly repository: string; readonly commit: string; readonly path: string }
  readonly inputs: { readonly [name: string]: string }
  /** What the job that calls this workflow may do; null: nobody calls it. */
  readonly allowed: Permissions | null
}

async function runJobs(text: string, call: Call): Promise<{ [name: string]: JobRun }> {
  const workflow = parseYaml<Workflow>(text)
  const found: { [name: string]: JobRun } = {}
  for (const [id, job] of Object.entries(workflow.jobs)) {
    const declared = declaredPermissions(job, workflow, call)
    const permissions = givenPermissions(declared, call)
    const needed = job.needs === undefined ? undefined : found[job.needs]
    const needs = job.needs === undefined ? {} : { [job.needs]: { result: needed?.result, outputs: needed?.outputs } }
    const contexts = { ...contextsOf(call, permissions), needs }
    const isReady = needed === undefined || needed.result === 'success'
    if (!isReady || !holds(job.if, contexts, 'success')) {
      found[id] = { result: 'skipped', log: '', summary: '', permissions, outputs: {} }
    } else if (job.uses === undefined) {
      found[id] = await runJob(job, permissions, contexts, call)
    } else {
      for (const [name, run] of Object.entries(await callWorkflow(job, declared, contexts, call)))
        found[`${id}/${name}`] = run
    }
  }
  return found
}

/** `owner/repository/path@commit`, which is always Holdfast's here. */
function callWorkflow({ uses = '', with: inputs }: Job, allowed: Permissions, contexts: Contexts, call: Call) {
  const [, repository = '', path = '', commit = ''] = /^([^/]+\/[^/]+)\/(.+)@(.+)$/.exec(uses) ?? []
  if (repository !== HOLDFAST.repository) throw new Error(`${uses} is not known here`)
  const origin = { repository, path, commit }
  const given = inputsFor(parseYaml<Workflow>(readProjectFile(path)), fillAll(inputs, contexts))
  return runJobs(readProjectFile(path), { ...call, origin, inputs: given, allowed })
}

function inputsFor({ on }: Workflow, given: { readonly [name: string]: string }): { [name: string]: string } {
  const { inputs = {} } = on['workflow_call'] as { inputs?: { [name: string]: { default?: unknown } } }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputs, name))
  if (unknown.length > 0) throw new Error(`the workflow has no input ${unknown.join(', ')}`)
  const defaults = Object.entries(inputs).map(([name, input]) => [name, String(input.default ?? '')])
  return { ...(Object.fromEntries(defaults) as object), ...given }
}

const STRENGTH = { none: 0, read: 1, write: 2 } as const

/** A called workflow that asks for more than its caller declares does not start. */
function declaredPermissions(job: Job, workflow: Workflow, { allowed }: Call): Permissions {
  const wanted = job.permissions ?? workflow.permissions ?? allowed ?? {}
  for (const [scope, access] of Object.entries(wanted)) {
    const most = allowed?.[scope] ?? (allowed === null ? 'write' : 'none')
    if (STRENGTH[access] > STRENGTH[most]) {
      throw new Error(`the called workflow wants ${scope}: ${access}, and is only allowed ${scope}: ${most}`)
    }
  }
  return wanted
}

/** What it gets in the end: a fork gets nothing that writes. */
function givenPermissions(declared: Permissions, { event }: Call): Permissions {
  return event.isFromFork ? Object.fromEntries(Object.entries(declared).map(forFork)) : declared
}

function forFork([scope, access]: [string, Access]): [string, Access] {
  if (scope === 'id-token') return [scope, 'none']
  return [scope, access === 'write' ? 'read' : access]
}

function contextsOf({ world, event, runId, origin, inputs }: Call, permissions: Permissions): Contexts {
  return {
    github: {
      event_name: event.name,
      event: event.payload,
      ref: event.ref,
      sha: event.commit,
      repository: REPOSITORY.full_name,
      run_id: runId,
      token: world.token(permissions),
    },
    inputs,
    vars: world.variables,
    job: { workflow_repository: origin.repository, workflow_sha: origin.commit },
    runner: {},
    needs: {},
  }
}

async function runJob(job: Job, permissions: Permissions, contexts: Contexts, call: Call): Promise<JobRun> {
  const { world, shared, event, runId, origin } = call
  const directory = mkdtempSync(join(shared.home, 'job-'))
  const [workspace, temporary] = [join(directory, 'workspace'), join(directory, 'temporary')]
  for (const made of [workspace, temporary]) mkdirSync(made)
  const [summary, payload] = [join(directory, 'summary'), join(directory, 'event.json')]
  writeFileSync(summary, '')
  writeFileSync(payload, JSON.stringify(event.payload))
  const environment = job.environment === undefined ? null : fillText(job.environment, contexts)
  const claims = claimsOf(event, environment, `${origin.repository}/${origin.path}@${origin.commit}`)
  let log = ''
  const machine = {
    git: world.git,
    workspace,
    temporary,
    artifacts: shared.artifacts,
    runId,
    commit: event.commit,
    write: (text: string) => void (log += text),
    environment: {
      PATH: shared.path,
      HOME: directory,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: world.apiUrl,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: payload,
      GITHUB_REPOSITORY: REPOSITORY.full_name,
      GITHUB_REF: event.ref,
      ...(event.name === 'pull_request' && { GITHUB_BASE_REF: 'main' }),
      GITHUB_SHA: event.commit,
      GITHUB_RUN_ID: String(runId),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_ACTOR: 'ann',
      GITHUB_WORKSPACE: workspace,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temporary,
      ...(permissions['id-token'] === 'write' && world.actions.job(claims)),
    },
  }
  const inner = { ...contexts, runner: { temp: temporary } }
  const ended = await runSteps(job.steps ?? [], machine, { contexts: inner, env: fillAll(job.env, inner) })
  const steps = Object.fromEntries(Object.entries(ended.outputs).map(([id, outputs]) => [id, { outputs }]))
  const outputs = fillAll(job.outputs, { ...inner, steps })
  return { result: ended.status, log, summary: readFileSync(summary, 'utf8'), permissions, outputs }
}
