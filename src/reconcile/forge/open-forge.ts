import { isGiteaActions } from '../../client/sign-in.ts'
import type { Environment, Io } from '../../shell/io.ts'
import type { Forge } from './forge.ts'
import { giteaForge } from './gitea.ts'
import { giteaJob, githubJob } from './github-job.ts'
import { githubForge } from './github.ts'
import { gitlabForge } from './gitlab.ts'
import { gitlabJob } from './gitlab-job.ts'
import type { Job } from './job.ts'

/** Reads the job from the environment, which shows the forge. `option` needs the job, such as `--comment`. */
export function readJob(option: string, env: Environment): Job {
  if (env['GITLAB_CI'] === 'true') return gitlabJob(option, env)
  return isGiteaActions(env) ? giteaJob(option, env) : githubJob(option, env)
}

/** The address, the repository and the token for requests to a forge. */
export type ForgePlace = Pick<Job, 'forge' | 'token' | 'apiUrl' | 'owner' | 'repo' | 'repositoryUrl'>

export async function openForge(job: ForgePlace, io: Io): Promise<Forge> {
  if (job.forge === 'GitLab') return gitlabForge({ ...job, project: job.repo }, io)
  return job.forge === 'Gitea' ? giteaForge(job, io) : githubForge(job, io)
}
