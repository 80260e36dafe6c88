import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import { codeSpan } from '../../plan/render/markdown/markdown-text.ts'
import { NoDirectoryError } from '../models/model-source.ts'
import type { JobReport } from './job-report.ts'

const ADVICE: { readonly [code in ErrorCode]?: readonly string[] } = {
  UNAUTHENTICATED: ['Look at the authentication method of the platform that trusts this repository.'],
  FORBIDDEN: ['Look at the authentication method of the platform that trusts this repository, and at its rules.'],
  UNAVAILABLE: ['Run this job again when the platform answers.'],
}

/** Advice if there is no plan. Each point is our own markdown. */
export function adviceOnPlan(error: unknown, { models }: Pick<JobReport, 'models'>): readonly string[] {
  if (error instanceof NoDirectoryError) return adviceOnDirectory(codeSpan(models))
  return error instanceof HoldfastError ? (ADVICE[error.code] ?? []) : ['See the log of the run.']
}

function adviceOnDirectory(name: string): readonly string[] {
  return [
    `If the models are in another directory now, say so in the workflow: \`models\`, under \`with\`, is ${name} there.`,
    `If everything is to be deleted, keep ${name} with an empty list for each record type, such as \`characteristics: []\`: without them nothing is managed, and nothing is deleted.`,
    `If the models are not to be kept in Git any more, remove the workflow, too.`,
  ]
}
