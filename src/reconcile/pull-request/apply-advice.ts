import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { NoDirectoryError } from '../models/model-source.ts'
import { NothingReviewed } from './plan-on-pull-request.ts'
import { mayHaveArrived } from '../target/platform-target.ts'

const AGAIN = 'Run this job again when that is put right.'

const NEXT_PULL_REQUEST =
  'Open another pull request with any change of the models, be it a line of a comment: its plan shows what an apply would do now. Merge it if that is what you want.'

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
  STALE_PLAN: [NEXT_PULL_REQUEST, 'If it is not, change the models in it, or revert this pull request.'],
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
  if (error instanceof NothingReviewed) return [NEXT_PULL_REQUEST, REQUIRE_THE_CHECK]
  if (error instanceof NoDirectoryError) return NO_MODELS
  const code = error instanceof HoldfastError ? error.code : 'INTERNAL'
  if (code === 'BLOCKED' && isAboutSecrets(error))
    return ['Give the secrets to the job, in the environment of its step.', AGAIN]
  return ADVICE[code] ?? ['See the log of the run.', AGAIN]
}

function isAboutSecrets(error: unknown): boolean {
  const details = error instanceof HoldfastError ? error.details : []
  return details.length > 0 && details.every((detail) => isObject(detail) && detail['code'] === 'secret-not-resolved')
}

/**
 * Says what happened on the platform. An apply is one transaction (semantics, section 7), so its result is unknown
 * only where it had begun and no answer came.
 */
export function whatBecame(error: unknown, wasBegun: boolean): string {
  const isAnswer = error instanceof HoldfastError && error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL'
  return isAnswer || !wasBegun || !mayHaveArrived(error)
    ? '**Nothing was changed on the platform.**'
    : '**All of it was applied or nothing**: an apply is one transaction, and it is not known here how it ended.'
}
