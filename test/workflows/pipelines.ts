import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JWTPayload } from 'jose'
import { parse } from 'yaml'
import type { FakeActions } from '../end-to-end/fake-actions.ts'
import { holdfast, type Outcome } from '../reconcile/run-command.ts'
import type { FakeForge } from '../support/fake-forge.ts'
import { FakeGitea, GITEA } from '../support/fake-gitea.ts'
import { FakeGitLab, GITLAB, PROJECT } from '../support/fake-gitlab.ts'
import type { GitRepository } from './git-repository.ts'

// A small runner for the pipelines that `holdfast init --gitlab` and `--gitea` write: it reads the file of the commit,
// chooses the jobs of the event, and runs their commands in a clone with the variables that the forge sets.

/** What starts a pipeline, in words of neither forge. */
export interface Trigger {
  readonly kind: 'proposal' | 'push' | 'schedule'
  readonly branch: string
  readonly commit: string
  /** Of a push: the commit that the branch was at before. */
  readonly before?: string
  /** Of a proposal. */
  readonly number?: number
  readonly base?: string
  readonly isFork?: boolean
  /** Of a proposal in a merge train of GitLab: the head of its branch, and the commit that is ahead. */
  readonly train?: { readonly head: string; readonly ahead: string }
  /** What somebody has written into the job in place of its own command. */
  readonly command?: string
  /** A variable that the job does not get. */
  readonly without?: string
}

export interface JobRun extends Outcome {
  readonly job: string
}

export interface Pipeline {
  readonly name: string
  readonly initOption: string
  /** What the issuer has beside the address of the forge. */
  readonly issuerPath: string
  readonly howTo: string
  open(): { readonly fake: FakeForge; run(trigger: Trigger, world: RunnerWorld): Promise<readonly JobRun[]> }
}

export interface RunnerWorld {
  readonly git: GitRepository
  readonly actions: FakeActions
  readonly url: string
  /** Where the requests to the forge go instead. */
  readonly forgeFetch: (request: Request) => Promise<Response>
  readonly forgeOrigin: string
}

type Variables = { readonly [name: string]: string }

interface Job {
  readonly name: string
  readonly script: readonly string[]
  readonly env: Variables
}

const HOLDFAST = /^node "\$HOLDFAST_HOME\/bin\/holdfast\.js" (.+)$/

/** Runs the commands of a job that call Holdfast; the others only install it. */
async function runJob(
  { name, script, env }: Job,
  { commit, command, without = '' }: Trigger,
  world: RunnerWorld,
): Promise<JobRun> {
  const place = mkdtempSync(join(tmpdir(), 'holdfast-job-'))
  try {
    world.git.checkOut(commit, join(place, 'models'))
    const all = { code: 0, stdout: '', stderr: '', questions: [] as string[] }
    for (const line of script) {
      const [, words] = HOLDFAST.exec(line) ?? []
      if (words === undefined || all.code !== 0) continue
      const route = (request: Request) =>
        new URL(request.url).origin === world.forgeOrigin ? world.forgeFetch(request) : fetch(request)
      const done = await holdfast(command ?? words, {
        cwd: join(place, 'models'),
        env: { CI: 'true', ...env, [without]: undefined },
        fetch: route,
      })
      Object.assign(all, { code: done.code, stdout: all.stdout + done.stdout, stderr: all.stderr + done.stderr })
    }
    return { job: name, ...all }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

let lastRun = 1_000

interface GitLabJob {
  readonly rules?: readonly { readonly if: string }[]
  readonly script?: readonly string[]
  readonly environment?: { readonly name: string }
}

const GITLAB_SOURCES = { proposal: 'merge_request_event', push: 'push', schedule: 'schedule' } as const

export const GITLAB_PIPELINE: Pipeline = {
  name: 'GitLab',
  initOption: '--gitlab',
  issuerPath: '',
  howTo: 'gitlab.md',
  open() {
    const fake = new FakeGitLab()
    return {
      fake,
      async run(trigger, world) {
        const file = parse(world.git.read(trigger.commit, '.gitlab-ci.yml')) as { readonly [key: string]: GitLabJob }
        const variables = gitlabVariables(trigger, fake.token)
        const runs: JobRun[] = []
        for (const [name, job] of Object.entries(file)) {
          if (job.rules?.some(({ if: rule }) => isTrue(rule, variables)) !== true) continue
          const env = {
            ...variables,
            HOLDFAST_URL: world.url,
            HOLDFAST_ID_TOKEN: await gitlabToken(job, trigger, world),
          }
          runs.push(
            await runJob({ name, script: job.script ?? [], env }, trigger, { ...world, ...FORGES.gitlab(fake) }),
          )
        }
        return runs
      },
    }
  },
}

const FORGES = {
  gitlab: (fake: FakeGitLab) => ({ forgeOrigin: GITLAB, forgeFetch: fake.fetch }),
  gitea: (fake: FakeGitea) => ({ forgeOrigin: GITEA, forgeFetch: fake.fetch }),
}

/** `$A == "x" && $B == $C` */
function isTrue(rule: string, variables: Variables): boolean {
  const value = (word: string) => (word.startsWith('$') ? variables[word.slice(1)] : JSON.parse(word))
  return rule.split(' && ').every((part) => {
    const [left = '', right = ''] = part.split(' == ')
    return value(left) === value(right)
  })
}

function gitlabVariables(trigger: Trigger, token: string): Variables {
  const { kind, branch, commit, before, number, base, isFork = false, train } = trigger
  const project = String(PROJECT.id)
  const page = `${GITLAB}/${PROJECT.path}`
  const id = String((lastRun += 1))
  return {
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${GITLAB}/api/v4`,
    CI_PROJECT_ID: isFork ? '99' : project,
    CI_PROJECT_URL: page,
    CI_PROJECT_PATH: PROJECT.path,
    CI_DEFAULT_BRANCH: 'main',
    CI_JOB_ID: id,
    CI_JOB_URL: `${page}/-/jobs/${id}`,
    CI_COMMIT_SHA: commit,
    CI_PIPELINE_SOURCE: GITLAB_SOURCES[kind],
    GITLAB_USER_LOGIN: 'ann',
    ...(isFork ? {} : { HOLDFAST_GITLAB_TOKEN: token }),
    ...(kind === 'proposal'
      ? {
          CI_MERGE_REQUEST_IID: String(number),
          CI_MERGE_REQUEST_EVENT_TYPE: train === undefined ? 'detached' : 'merge_train',
          // Both are empty if GitLab tries no merge.
          CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: train?.head ?? '',
          CI_MERGE_REQUEST_TARGET_BRANCH_SHA: train?.ahead ?? '',
          CI_MERGE_REQUEST_PROJECT_ID: project,
          CI_MERGE_REQUEST_SOURCE_PROJECT_ID: isFork ? '99' : project,
          CI_MERGE_REQUEST_DIFF_BASE_SHA: base ?? '',
        }
      : { CI_COMMIT_BRANCH: branch, CI_COMMIT_BEFORE_SHA: before ?? '0'.repeat(40) }),
  }
}

function gitlabToken({ environment }: GitLabJob, trigger: Trigger, { actions, url }: RunnerWorld): Promise<string> {
  const { kind, branch, isFork = false } = trigger
  return tokenOf(actions, url, {
    project_id: isFork ? '99' : String(PROJECT.id),
    namespace_id: String(PROJECT.namespace),
    pipeline_source: GITLAB_SOURCES[kind],
    ref: branch,
    ref_type: 'branch',
    ref_protected: String(branch === 'main'),
    ...(environment !== undefined && { environment: environment.name }),
  })
}

export async function tokenOf(actions: FakeActions, audience: string, claims: JWTPayload): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address = '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: token = '' } = actions.job(claims)
  const answer = await fetch(`${address}&audience=${encodeURIComponent(audience)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { value: string }).value
}

interface GiteaFile {
  readonly env: Variables
  readonly jobs: {
    readonly [name: string]: {
      readonly if: string
      readonly env: Variables
      readonly steps: readonly { readonly run?: string }[]
    }
  }
}

const GITEA_EVENTS = { proposal: 'pull_request', push: 'push', schedule: 'schedule' } as const
const GITEA_REPOSITORY = { id: 278964, full_name: 'acme/models' }

/** Forgejo, whose jobs get tokens; or Gitea, whose secrets are given. */
export function giteaPipeline(name: 'Forgejo' | 'Gitea', secrets: Variables = {}): Pipeline {
  return {
    name,
    initOption: '--gitea',
    issuerPath: '/api/actions',
    howTo: 'gitea.md',
    open() {
      const fake = new FakeGitea()
      return {
        fake,
        async run(trigger, world) {
          const file = parse(world.git.read(trigger.commit, '.gitea/workflows/holdfast.yml')) as GiteaFile
          const runs: JobRun[] = []
          for (const [job, { if: condition, env, steps }] of Object.entries(file.jobs)) {
            if (condition !== `github.event_name == '${GITEA_EVENTS[trigger.kind]}'`) continue
            const filled = fillIn(
              { ...file.env, ...env },
              { 'vars.HOLDFAST_URL': world.url, 'github.token': fake.token },
              secrets,
            )
            const script = steps.flatMap(({ run }) => run?.split('\n') ?? [])
            runs.push(
              await runGiteaJob({ name: job, script, env: filled }, name, trigger, { ...world, ...FORGES.gitea(fake) }),
            )
          }
          return runs
        },
      }
    },
  }
}

function fillIn(env: Variables, known: Variables, secrets: Variables): Variables {
  const value = (text: string) =>
    text.replaceAll(
      /\$\{\{ (\S+) \}\}/g,
      (_, name: string) => known[name] ?? secrets[name.replace('secrets.', '')] ?? '',
    )
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(String(text))]))
}

async function runGiteaJob(
  job: Job,
  forge: 'Forgejo' | 'Gitea',
  trigger: Trigger,
  world: RunnerWorld,
): Promise<JobRun> {
  const { kind, branch, commit, before, number, base, isFork = false } = trigger
  const place = mkdtempSync(join(tmpdir(), 'holdfast-event-'))
  const path = join(place, 'event.json')
  const head = { sha: commit, repo: { id: isFork ? 99 : GITEA_REPOSITORY.id } }
  const pull = { number, head, base: { ref: 'main', repo: GITEA_REPOSITORY }, merge_base: base }
  writeFileSync(path, JSON.stringify(kind === 'proposal' ? { number, pull_request: pull } : { before, after: commit }))
  const ref = kind === 'proposal' ? `refs/pull/${number}/head` : `refs/heads/${branch}`
  const claims = {
    repository: 'acme/models',
    repository_id: String(GITEA_REPOSITORY.id),
    repository_owner_id: '9970',
    event_name: GITEA_EVENTS[kind],
    ref,
  }
  const env = {
    ...job.env,
    ...(forge === 'Forgejo' ? { FORGEJO_ACTIONS: 'true', ...world.actions.job(claims) } : { GITEA_ACTIONS: 'true' }),
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: GITEA,
    GITHUB_API_URL: `${GITEA}/api/v1`,
    GITHUB_REPOSITORY: 'acme/models',
    GITHUB_EVENT_NAME: GITEA_EVENTS[kind],
    GITHUB_EVENT_PATH: path,
    GITHUB_SHA: commit,
    GITHUB_REF: ref,
    GITHUB_RUN_ID: String((lastRun += 1)),
    GITHUB_ACTOR: 'ann',
  }
  try {
    return await runJob({ ...job, env }, trigger, world)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
