import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import { readEvent, type JobEvent } from './event.ts'

/** Of the runs of a repository the later one has the higher id; a run that is started again counts its attempts. */
export interface RunNumber {
  readonly id: number
  readonly attempt: number
}

/** A job of GitHub Actions, as far as it is looked at here. */
export interface Job {
  readonly token: string
  readonly owner: string
  readonly repo: string
  readonly apiUrl: string
  /** Of the run, for people. */
  readonly runUrl: string
  /** Where the files of the models can be read, for people. */
  readonly repositoryUrl: string
  readonly run: RunNumber
  readonly event: JobEvent
  /** The commit that the models are of: for a pull request its head, not the merge that GitHub tries out. */
  readonly commit: string
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

/** `option` is what the person asked for, e.g. `--comment`. */
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
