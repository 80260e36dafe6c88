import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { isAboutWaiting } from '../apply/waiting.ts'
import { NoDirectoryError } from '../models/model-source.ts'
import { NothingReviewed } from './shown-plan.ts'
import { mayHaveArrived } from '../target/platform-target.ts'

const AGAIN = 'Run this job again when that is put right.'

const BY_HAND =
  'Start the workflow by hand (Actions → Run workflow): its plan shows what an apply would do now, and its reviewers decide. Then run this job again, and it finds nothing left to do.'

const AFTER_OTHERS =
  'What was merged before waits to be applied: approve it, and then run this job again. If it was rejected, start the workflow by hand (Actions → Run workflow), which plans all that is merged and not applied, or revert it.'

const REQUIRE_THE_CHECK =
  'A rule of the branch that requires the check of the plan keeps pull requests without one from being merged.'

const NO_MODELS = [
  'Say in the workflow where the models are now, put them back by another pull request, or remove the workflow, too.',
]

const ADVICE: { readonly [code in ErrorCode]?: readonly string[] } = {
  BLOCKED: [
    'If the guarded changes are meant, acknowledge them in `holdfast.yaml` by another pull request: the lines stand below.',
    'If they are not, revert this pull request.',
  ],
  STALE_PLAN: [BY_HAND, 'If the models are not what you want any more, change them by another pull request before.'],
  BAD_USER_INPUT: ['Put the models right by another pull request.'],
  UNAUTHENTICATED: ['Look at the authentication method of the platform that trusts this repository.', AGAIN],
  FORBIDDEN: [
    'Put right either the workflow, such as its `environment`, or the authentication method of the platform: only pushes to the branch, and in the environment, that it names may apply.',
    AGAIN,
  ],
  UNAVAILABLE: [
    'Run this job again when the platform answers: it plans anew, so that nothing is done twice.',
    '`holdfast history` shows whether the apply took place after all.',
  ],
}

/** What can be done about a failed apply. Each point is our own markdown. */
export function adviceOn(error: unknown): readonly string[] {
  if (error instanceof NothingReviewed) return [BY_HAND, REQUIRE_THE_CHECK]
  if (error instanceof NoDirectoryError) return NO_MODELS
  const code = error instanceof HoldfastError ? error.code : 'INTERNAL'
  if (code === 'BLOCKED' && isAboutSecrets(error))
    return ['Give the secrets to the job, in the environment of its step.', AGAIN]
  if (isAboutWaiting(error)) return [AFTER_OTHERS]
  return ADVICE[code] ?? ['See the log of the run.', AGAIN]
}

function isAboutSecrets(error: unknown): boolean {
  const details = error instanceof HoldfastError ? error.details : []
  return details.length > 0 && details.every((detail) => isObject(detail) && detail['code'] === 'secret-not-resolved')
}

/**
 * Says what happened on the platform. An apply is one transaction, so its result is unknown
 * only where it had begun and no answer came.
 */
export function whatBecame(error: unknown, wasBegun: boolean): string {
  const isAnswer = error instanceof HoldfastError && error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL'
  return isAnswer || !wasBegun || !mayHaveArrived(error)
    ? '**Nothing was changed on the platform.**'
    : '**All of it was applied or nothing**: an apply is one transaction, and it is not known here how it ended.'
}
