import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import { readEvent, type JobEvent } from './event.ts'

/** Later runs of a repository have higher ids. Starting a run again increases its attempt. */
export interface RunNumber {
  readonly id: number
  readonly attempt: number
}

/** The parts of a GitHub Actions job that are used here. */
export interface Job {
  readonly token: string
  readonly owner: string
  readonly repo: string
  readonly apiUrl: string
  /** The page of the run. */
  readonly runUrl: string
  /** The page of the repository with the files of the models. */
  readonly repositoryUrl: string
  readonly run: RunNumber
  readonly event: JobEvent
  /** The commit of the models. For a pull request it is the head, and not the merge that GitHub tries. */
  readonly commit: string
  /** Who started the run. */
  readonly actor: string | null
  /** The branch that was pushed to. */
  readonly branch: string | null
}

const NEEDED = {
  GITHUB_TOKEN: 'give it to the step: `env: { GITHUB_TOKEN: ${{ github.token }} }`',
  GITHUB_REPOSITORY: '',
  GITHUB_EVENT_NAME: '',
  GITHUB_EVENT_PATH: '',
  GITHUB_SHA: '',
  GITHUB_RUN_ID: '',
} as const

/** Reads the job from the environment. `option` is the option that needs it, e.g. `--comment`. */
export function readJob(option: string, env: Environment): Job {
  const need = requireVariables(option, env)
  const [owner = '', repo = ''] = need('GITHUB_REPOSITORY').split('/')
  const repositoryUrl = `${address(env['GITHUB_SERVER_URL'], 'https://github.com')}/${owner}/${repo}`
  const event = readEvent(need('GITHUB_EVENT_NAME'), need('GITHUB_EVENT_PATH'))
  return {
    token: need('GITHUB_TOKEN'),
    owner,
    repo,
    apiUrl: address(env['GITHUB_API_URL'], 'https://api.github.com'),
    repositoryUrl,
    runUrl: `${repositoryUrl}/actions/runs/${need('GITHUB_RUN_ID')}`,
    run: { id: Number(need('GITHUB_RUN_ID')), attempt: Number(env['GITHUB_RUN_ATTEMPT'] ?? 1) },
    event,
    actor: env['GITHUB_ACTOR'] || null,
    branch: /^refs\/heads\/(.+)$/.exec(env['GITHUB_REF'] ?? '')?.[1] ?? null,
    commit: event.kind === 'other' ? need('GITHUB_SHA') : event.head,
  }
}

function requireVariables(option: string, env: Environment): (name: keyof typeof NEEDED) => string {
  const missing = Object.entries(NEEDED).filter(([name]) => !env[name])
  if (missing.length === 0) return (name) => env[name] ?? ''
  const names = missing.map(([name, hint]) => (hint === '' ? name : `${name} (${hint})`))
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${option} works inside a job of GitHub Actions; missing in the environment: ${names.join(', ')}. Elsewhere --format markdown prints the same`,
  )
}

function address(text: string | undefined, standard: string): string {
  return (text || standard).replace(/\/+$/, '')
}
