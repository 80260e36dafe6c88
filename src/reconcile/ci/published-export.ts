import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { connectGitHub } from '../forge/github-client.ts'
import { githubJob } from '../forge/github-job.ts'
import { writeOutput } from '../pull-request/step-output.ts'

/**
 * Finds the latest run that published an export. Pull requests from forks can make artifacts of any name, but those
 * belong to runs of the fork's commits, which are ignored.
 */
export async function publishedExport(name: string, { io }: Context): Promise<CommandResult> {
  const job = githubJob('ci published-export', io.env)
  const { owner, repo } = job
  const { rest } = await connectGitHub(job, io)
  const { data } = await rest.actions.listArtifactsForRepo({ owner, repo, name, per_page: 100 })
  const [newest] = data.artifacts
    .filter(({ expired, workflow_run: run }) => !expired && isOwn(run))
    .toSorted((a, b) => b.id - a.id)
  const runId = newest?.workflow_run?.id
  io.stderr.write(runId === undefined ? 'No export is published.\n' : `Run ${runId} has published an export.\n`)
  if (runId !== undefined) writeOutput({ 'run-id': String(runId) }, io)
  return DONE
}

type Run = { readonly repository_id?: number; readonly head_repository_id?: number } | null | undefined

function isOwn(run: Run): boolean {
  return run?.repository_id !== undefined && run.head_repository_id === run.repository_id
}
