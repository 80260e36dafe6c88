import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import type { Job, JobEvent } from './job.ts'
import { readFileSync } from 'node:fs'
import { isObject } from '../../lib/json.ts'
import { reasonOfFileError } from '../file-error.ts'

const NEEDED = {
  GITHUB_TOKEN: 'give it to the step: `env: { GITHUB_TOKEN: ${{ github.token }} }`',
  GITHUB_REPOSITORY: '',
  GITHUB_EVENT_NAME: '',
  GITHUB_EVENT_PATH: '',
  GITHUB_SHA: '',
  GITHUB_RUN_ID: '',
} as const

/** A job of GitHub Actions. */
export function githubJob(option: string, env: Environment): Job {
  const need = requireVariables(option, env)
  const [owner = '', repo = ''] = need('GITHUB_REPOSITORY').split('/')
  const repositoryUrl = `${address(env['GITHUB_SERVER_URL'], 'https://github.com')}/${owner}/${repo}`
  const event = readEvent(need('GITHUB_EVENT_NAME'), need('GITHUB_EVENT_PATH'))
  const commit = event.kind === 'other' ? need('GITHUB_SHA') : event.head
  return {
    forge: 'GitHub',
    token: need('GITHUB_TOKEN'),
    owner,
    repo,
    apiUrl: address(env['GITHUB_API_URL'], 'https://api.github.com'),
    repositoryUrl,
    pages: { commit: `${repositoryUrl}/commit/`, file: `${repositoryUrl}/blob/${commit}/` },
    runUrl: `${repositoryUrl}/actions/runs/${need('GITHUB_RUN_ID')}`,
    run: { id: Number(need('GITHUB_RUN_ID')), attempt: Number(env['GITHUB_RUN_ATTEMPT'] ?? 1) },
    event,
    actor: env['GITHUB_ACTOR'] || null,
    branch: /^refs\/heads\/(.+)$/.exec(env['GITHUB_REF'] ?? '')?.[1] ?? null,
    commit,
  }
}

function requireVariables(option: string, env: Environment): (name: keyof typeof NEEDED) => string {
  const missing = Object.entries(NEEDED).filter(([name]) => !env[name])
  if (missing.length === 0) return (name) => env[name] ?? ''
  const names = missing.map(([name, hint]) => (hint === '' ? name : `${name} (${hint})`))
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${option} works inside a job of GitHub Actions; missing in the environment: ${names.join(', ')}. Jobs of GitLab, Gitea and Forgejo will do as well; elsewhere --format markdown prints the same`,
  )
}

function address(text: string | undefined, standard: string): string {
  return (text || standard).replace(/(?<!\/)\/+$/, '')
}

/** Reads GitHub's description of the event. It has the names of GitHub's webhooks. */
function readEvent(name: string, path: string): JobEvent {
  const payload = readPayload(path)
  const event = pullRequestOf(payload) ?? queueOf(payload)
  return event ?? { kind: 'other', name, before: commitIn(at(payload, 'before')) }
}

/** The merge base of a pull request, as Gitea and Forgejo report it; null if they do not. */
function mergeBaseIn(path: string): string | null {
  return commitIn(at(readPayload(path), 'pull_request', 'merge_base'))
}

function pullRequestOf(payload: unknown): JobEvent | null {
  const pull = at(payload, 'pull_request')
  const [number, head] = [at(pull, 'number'), at(pull, 'head', 'sha')]
  if (typeof number !== 'number' || typeof head !== 'string') return null
  const [from, to] = [at(pull, 'head', 'repo', 'id'), at(pull, 'base', 'repo', 'id')]
  return { kind: 'pull-request', number, head, isFork: from !== to }
}

/** Reads the pull request from the name of the queue's branch, `gh-readonly-queue/main/pr-104-` and a commit. */
function queueOf(payload: unknown): JobEvent | null {
  const [ref, head] = [at(payload, 'merge_group', 'head_ref'), at(payload, 'merge_group', 'head_sha')]
  const number = typeof ref === 'string' ? /\/pr-(\d+)-[0-9a-f]+$/.exec(ref)?.[1] : undefined
  if (number === undefined || typeof head !== 'string') return null
  return { kind: 'queue', number: Number(number), head, base: commitIn(at(payload, 'merge_group', 'base_sha')) }
}

/** A commit hash; null if GitHub sends only zeros, which means that there is no commit. */
function commitIn(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) && !/^0+$/.test(value) ? value : null
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
}

function readPayload(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOfFileError(error)
    throw new HoldfastError('BAD_USER_INPUT', `GITHUB_EVENT_PATH ${path} cannot be read: ${reason}`, { cause: error })
  }
}

/**
 * A job of Gitea or Forgejo Actions. It has the variables and events of GitHub. Its pages have other addresses, and
 * it checks out the branch of a pull request instead of the trial merge.
 */
export function giteaJob(option: string, env: Environment): Job {
  const job = githubJob(option, env)
  const { repositoryUrl, commit, event } = job
  const mergeBase = mergeBaseIn(env['GITHUB_EVENT_PATH'] ?? '')
  return {
    ...job,
    forge: 'Gitea',
    apiUrl: env['GITHUB_API_URL'] ? job.apiUrl : `${new URL(repositoryUrl).origin}/api/v1`,
    pages: { commit: `${repositoryUrl}/commit/`, file: `${repositoryUrl}/src/commit/${commit}/` },
    event: event.kind === 'pull-request' && mergeBase !== null ? { ...event, mergeBase } : event,
  }
}
