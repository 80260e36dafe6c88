import { UnknownApplyError } from '../../client/platform-error.ts'
import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { ForgeName } from '../forge/forge.ts'
import { isAboutWaiting } from '../apply/waiting.ts'
import { NoDirectoryError } from '../models/model-source.ts'
import { NothingReviewed } from './shown-plan.ts'

const AGAIN = 'Then run this job again.'

/** The steps to review and apply everything that is merged. */
export const RUN_BY_HAND: { readonly [forge in ForgeName]: string } = {
  GitHub:
    'start the workflow by hand (Actions → Run workflow); its reviewers decide on the plan of everything that differs',
  GitLab: 'ask somebody who may apply to run `holdfast plan` and `holdfast apply` in a checkout of the branch',
  Gitea: 'ask somebody who may apply to run `holdfast plan` and `holdfast apply` in a checkout of the branch',
}

function byHand(forge: ForgeName): string {
  return `To apply the merged changes nevertheless, ${RUN_BY_HAND[forge]}. Then run this job again, and it finds nothing left to do.`
}

function afterOthers(forge: ForgeName): string {
  return `An earlier merge waits to be applied: approve it, and then run this job again. If it was rejected, revert it, or ${RUN_BY_HAND[forge]}.`
}

const CHANGE_BEFORE = 'If you no longer want these models, change them by another pull request first.'

const REQUIRE_THE_CHECK =
  'Add a rule for the branch that requires the check of the plan. Then pull requests without a plan cannot be merged.'

const NO_MODELS = [
  'Say in the workflow where the models are now, put them back by another pull request, or remove the workflow, too.',
]

const ADVICE: { readonly [code in ErrorCode]?: readonly string[] } = {
  BLOCKED: [
    'If you want the guarded changes, acknowledge them in `holdfast.yaml` by another pull request: the lines are below.',
    'If they are not, revert this pull request.',
  ],
  BAD_USER_INPUT: ['Put the models right by another pull request.'],
  UNAUTHENTICATED: ['Look at the authentication method of the platform that trusts this repository.', AGAIN],
  FORBIDDEN: [
    'Correct the workflow, such as its `environment`, or the authentication method of the platform: only pushes to its branch, in its environment, may apply.',
    AGAIN,
  ],
  UNAVAILABLE: ['Run this job again when the platform answers: it plans again, so nothing is done twice.'],
}

/** Advises on a failed apply. Each point is our own markdown. */
export function adviceOn(error: unknown, forge: ForgeName): readonly string[] {
  if (error instanceof NothingReviewed) return [byHand(forge), REQUIRE_THE_CHECK]
  if (error instanceof NoDirectoryError) return NO_MODELS
  const code = error instanceof HoldfastError ? error.code : 'INTERNAL'
  if (code === 'BLOCKED' && isAboutSecrets(error))
    return ['Give the secrets to the job, in the environment of its step.', AGAIN]
  if (isAboutWaiting(error)) return [afterOthers(forge)]
  if (code === 'STALE_PLAN') return [byHand(forge), CHANGE_BEFORE]
  return ADVICE[code] ?? ['See the log of the run.', AGAIN]
}

function isAboutSecrets(error: unknown): boolean {
  const details = error instanceof HoldfastError ? error.details : []
  return details.length > 0 && details.every((detail) => isObject(detail) && detail['code'] === 'secret-not-resolved')
}

/** Says what happened on the platform. An apply is one transaction. */
export function whatBecame(error: unknown, wasBegun: boolean): string {
  const isKnown = !wasBegun || (error instanceof HoldfastError && !(error instanceof UnknownApplyError))
  return isKnown
    ? '**Nothing was changed on the platform.**'
    : '**Everything was applied, or nothing**: an apply is one transaction, and this job does not know how it ended.'
}
