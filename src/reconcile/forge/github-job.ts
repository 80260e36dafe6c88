import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import { readEvent } from './github-event.ts'
import type { Job } from './job.ts'

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
  return (text || standard).replace(/\/+$/, '')
}
