import { HoldfastError } from '../../lib/errors.ts'
import type { Environment } from '../../shell/io.ts'
import type { Job, JobEvent } from './job.ts'

const NEEDED = ['CI_API_V4_URL', 'CI_PROJECT_ID', 'CI_PROJECT_URL', 'CI_JOB_ID', 'CI_JOB_URL', 'CI_COMMIT_SHA'] as const

/** A job of GitLab CI/CD, by its predefined variables (https://docs.gitlab.com/ci/variables/predefined_variables/). */
export function gitlabJob(option: string, env: Environment): Job {
  const need = requireVariables(option, env)
  const [repositoryUrl, event] = [need('CI_PROJECT_URL'), eventOf(env)]
  const commit = event.kind === 'other' ? need('CI_COMMIT_SHA') : event.head
  return {
    forge: 'GitLab',
    // Needed only for writing to GitLab. A fork has no token and plans without it.
    token: env['HOLDFAST_GITLAB_TOKEN'] ?? '',
    owner: '',
    // A merge request of a fork belongs to the target project.
    repo: env['CI_MERGE_REQUEST_PROJECT_ID'] || need('CI_PROJECT_ID'),
    apiUrl: need('CI_API_V4_URL'),
    repositoryUrl,
    pages: { commit: `${repositoryUrl}/-/commit/`, file: `${repositoryUrl}/-/blob/${commit}/` },
    runUrl: need('CI_JOB_URL'),
    run: { id: Number(need('CI_JOB_ID')), attempt: 1 },
    event,
    commit,
    actor: env['GITLAB_USER_LOGIN'] || null,
    branch: env['CI_COMMIT_BRANCH'] || null,
  }
}

function eventOf(env: Environment): JobEvent {
  const [number, name] = [Number(env['CI_MERGE_REQUEST_IID'] ?? ''), env['CI_PIPELINE_SOURCE'] ?? '']
  if (!(number > 0)) return { kind: 'other', name, before: commitIn(env['CI_COMMIT_BEFORE_SHA']) }
  // Only if GitLab tries the merge, there are variables for the heads of both branches. In a merge train, the target
  // is the commit ahead. The parents of the commit are no substitute, because they depend on the merge method.
  const head = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'] || ''
  const target = commitIn(env['CI_MERGE_REQUEST_TARGET_BRANCH_SHA'])
  const isFork = env['CI_MERGE_REQUEST_SOURCE_PROJECT_ID'] !== env['CI_MERGE_REQUEST_PROJECT_ID']
  const isTrain = env['CI_MERGE_REQUEST_EVENT_TYPE'] === 'merge_train'
  if (isTrain && !isFork) return { kind: 'queue', number, head, base: target }
  const mergeBase = target ?? commitIn(env['CI_MERGE_REQUEST_DIFF_BASE_SHA'])
  return { kind: 'pull-request', number, head, isFork, ...(mergeBase !== null && { mergeBase }) }
}

/**
 * A commit hash; null if GitLab sends only zeros, which means that there is no commit. A person who starts a pipeline
 * can set its variables to anything, so other texts count as no commit, too.
 */
function commitIn(text: string | undefined): string | null {
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text) && !/^0+$/.test(text) ? text : null
}

function requireVariables(option: string, env: Environment): (name: (typeof NEEDED)[number]) => string {
  const missing = NEEDED.filter((name) => !env[name])
  if (missing.length === 0) return (name) => env[name] ?? ''
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${option} needs variables that this job of GitLab lacks: ${missing.join(', ')}`,
  )
}
