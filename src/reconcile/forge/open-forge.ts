import { isGiteaActions } from '../../client/sign-in.ts'
import type { Environment, Io } from '../../shell/io.ts'
import type { Forge } from './forge.ts'
import { giteaForge } from './gitea.ts'
import { giteaJob, githubJob } from './github-job.ts'
import { githubForge } from './github.ts'
import { gitlabForge } from './gitlab.ts'
import { gitlabJob } from './gitlab-job.ts'
import type { Job } from './job.ts'

/** Reads the job from the environment, whose variables tell the forge. `option` is what needs it, e.g. `--comment`. */
export function readJob(option: string, env: Environment): Job {
  if (env['GITLAB_CI'] === 'true') return gitlabJob(option, env)
  return isGiteaActions(env) ? giteaJob(option, env) : githubJob(option, env)
}

/** Where a forge is asked about a repository, and by which token. */
export type ForgePlace = Pick<Job, 'forge' | 'token' | 'apiUrl' | 'owner' | 'repo' | 'repositoryUrl'>

export async function openForge(job: ForgePlace, io: Io): Promise<Forge> {
  if (job.forge === 'GitLab') return gitlabForge({ ...job, project: job.repo }, io)
  return job.forge === 'Gitea' ? giteaForge(job, io) : githubForge(job, io)
}
