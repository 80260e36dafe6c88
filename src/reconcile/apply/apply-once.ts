import { HoldfastError } from '../../lib/errors.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { applyJson } from './apply-text.ts'
import type { Io } from '../../shell/io.ts'
import type { Format } from './show-plan.ts'
import { stableUuid } from '../../lib/uuid.ts'
import type { Apply, Origin, Target } from '../target/target.ts'

// A job can run again weeks later. If somebody undid its apply in between, the platform is again as the plan saw it.
// But the decision to undo it is newer than the plan, so the apply is not repeated (docs/decisions/0044).

/** The id of the apply of a plan for a commit. It is equal in all runs, and the platform executes each id only once. */
export function applyIdOf({ digest }: Plan, { env }: Pick<Io, 'env'>): string {
  const repository = env['GITHUB_REPOSITORY'] ?? env['CI_PROJECT_URL'] ?? ''
  return stableUuid('holdfast apply', repository, env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA'] ?? '', digest)
}

export async function findApply(target: Target, { applyId }: Pick<Origin, 'applyId'>): Promise<Apply | null> {
  if (applyId === undefined) return null
  try {
    return { ...(await target.pastApply(applyId)), recorded: true }
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** The error of a job that runs again although its apply was undone, and the newest models still want its changes. */
export function noLongerHolds({ uuid, at }: Apply, undone: readonly RecordKey[]): HoldfastError {
  const message = `this plan was applied before (apply ${uuid} at ${at}), and the platform no longer has its result, although the newest models still want it. A reviewed plan is applied once for each commit, so nothing was changed; make and apply a plan of everything that differs`
  return new HoldfastError('STALE_PLAN', message, { details: undone })
}

export function showAppliedBefore(apply: Apply, plan: Plan, format: Format, io: Pick<Io, 'stdout' | 'stderr'>): void {
  if (format === 'json') io.stdout.write(applyJson('no-changes', apply, plan))
  io.stderr.write(
    `Applied before: apply ${escapeUnseen(apply.uuid)} at ${escapeUnseen(apply.at)}. A reviewed plan is applied once for its commit; to restore what was undone since, open another pull request.\n`,
  )
}
