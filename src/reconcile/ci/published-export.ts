import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { connectGitHub } from '../forge/github-client.ts'
import { githubJob } from '../forge/github-job.ts'
import type { Job } from '../forge/job.ts'
import { troubleText } from '../forge/refusals.ts'
import { writeOutput } from '../pull-request/step-output.ts'
import { warn } from '../forge/workflow-commands.ts'

/**
 * Finds the latest run of the target branch that published an export. If GitHub does not answer, the job continues
 * without an export and says why, because it can still validate the models.
 */
export async function publishedExport(name: string, { io }: Context): Promise<CommandResult> {
  const job = githubJob('ci published-export', io.env)
  try {
    const newest = await newestExport(name, job, io)
    const runId = newest?.workflow_run?.id
    io.stderr.write(runId === undefined ? 'No export is published.\n' : `Run ${runId} has published an export.\n`)
    if (runId !== undefined) writeOutput({ 'run-id': String(runId), at: newest?.created_at ?? '' }, io)
  } catch (error) {
    if (io.signal.aborted) throw error
    const trouble = `The published export was not found: ${troubleText(error, job, 'actions: read', io.now())}.`
    warn(trouble, io)
    writeOutput({ trouble }, io)
  }
  return DONE
}

/**
 * Finds the newest artifact of the target branch. Jobs of other branches and forks can make artifacts of any name; it
 * ignores them.
 */
async function newestExport(name: string, job: Job, io: Io) {
  const { owner, repo } = job
  const { rest } = await connectGitHub(job, io)
  const { data } = await rest.actions.listArtifactsForRepo({ owner, repo, name, per_page: 100 })
  const [newest] = data.artifacts
    .filter(({ expired, workflow_run: run }) => !expired && isOfBranch(run, io.env['GITHUB_BASE_REF']))
    .toSorted((a, b) => b.id - a.id)
  return newest
}

interface Run {
  readonly repository_id?: number
  readonly head_repository_id?: number
  readonly head_branch?: string | null
}

function isOfBranch(run: Run | null | undefined, branch: string | undefined): boolean {
  const isOwn = run?.repository_id !== undefined && run.head_repository_id === run.repository_id
  return isOwn && (!branch || run.head_branch === branch)
}
