import { PlatformError } from '../../client/platform-error.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { Plan } from '../../plan/plan.ts'
import { waitingNames } from '../../plan/render/own-text.ts'

/** Tells whether an apply was refused only because it depends on changes that wait to be applied. */
export function isAboutWaiting(error: unknown): error is HoldfastError {
  const details = error instanceof HoldfastError && error.code === 'STALE_PLAN' ? error.details : []
  return details.length > 0 && details.every((detail) => isObject(detail) && detail['code'] === 'waits')
}

/** Adds the pull requests that a refused plan waits for, if known. The platform knows records only. */
export function namingPullRequests(error: unknown, { own }: Plan): unknown {
  if (!isAboutWaiting(error)) return error
  const { code, details } = error
  const waits = (type: string, key: string) =>
    details.some((detail) => isObject(detail) && detail['type'] === type && detail['key'] === key)
  const records = (own?.waitsFor ?? []).filter(({ type, key }) => waits(type, key))
  if (records.every(({ pullRequest }) => pullRequest === undefined)) return error
  const message = `the plan waits for ${waitingNames(records)} to be applied; nothing was changed: apply that, then this plan`
  return error instanceof PlatformError
    ? new PlatformError(code, message, { details, traceId: error.traceId })
    : new HoldfastError(code, message, { details, cause: error })
}
