import type { Environment } from '../../shell/io.ts'
import { mergeBaseIn } from './github-event.ts'
import { githubJob } from './github-job.ts'
import type { Job } from './job.ts'

/**
 * A job of Gitea or Forgejo Actions. Their variables and events are those of GitHub; pages have other addresses, and a
 * pull request is checked out as its branch is.
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
