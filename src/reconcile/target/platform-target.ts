import { randomUUID } from 'node:crypto'
import { ForeignAnswerError, LostAnswerError, UnknownApplyError } from '../../client/platform-error.ts'
import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { expandPlan } from '../../plan/brief-plan.ts'
import { allChanges, type Plan, type Change } from '../../plan/plan.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { GraphqlClient } from '../../client/graphql-client.ts'
import * as operations from './graphql-queries.ts'
import { WrittenJson, type Variables } from '../../client/request-body.ts'
import type { Apply, Origin, PastApply, PastApplyDetails, Target } from './target.ts'
import { setFlagsFromString } from 'node:v8'

interface PlatformTargetOptions {
  readonly request: GraphqlClient
  readonly wait: (milliseconds: number) => Promise<void>
  close?(): Promise<void>
}

/**
 * For a larger plan, only its digest is sent first. The platform's own plan nearly always has the same digest, and
 * then has the reviewed changes. The changes are sent only if the digests differ.
 */
const MOST_SENT_AT_ONCE = 1_000

/** A platform behind GraphQL: remote, or in this process. */
export function platformTarget({ request, wait, close }: PlatformTargetOptions): Target {
  return {
    async plan(models, settings, detail, { base, origin } = {}) {
      const variables = { document: new WrittenJson(() => models.text()), settings, base, origin }
      keepYoungGenerationSmall()
      if (detail === 'brief') {
        const { planImport } = await request<operations.BriefPlanAnswer>(operations.BRIEF_PLAN, variables)
        return expandPlan(readablePlan(planImport.brief))
      }
      const { planImport } = await request<operations.PlanAnswer>(operations.PLAN, variables)
      const { json, pointers } = planImport
      return { plan: readablePlan(json), pointers: { get: (record) => pointers[record] } }
    },
    async apply(models, settings, plan, origin, except = []) {
      const document = new WrittenJson(() => models.text())
      const apply = { document, settings, origin: { applyId: randomUUID(), ...origin } }
      const whole = { ...apply, plan: new WrittenJson(() => effectsText(plan, true, except)) }
      // The platform's plan of everything has another digest than the plan of a part.
      const isPart = plan.own !== undefined || except.length > 0
      if (isPart || allChanges(plan).length <= MOST_SENT_AT_ONCE) return applyOnce(request, wait, whole)
      try {
        return await applyOnce(request, wait, { ...apply, plan: new WrittenJson(() => effectsText(plan, false, [])) })
      } catch (error) {
        if (!(error instanceof HoldfastError && error.code === 'STALE_PLAN')) throw error
        return applyOnce(request, wait, whole)
      }
    },
    async export(wanted) {
      const variables = { types: wanted?.types ?? null, access: wanted?.access ?? true }
      const { importDocument, accessDocument } = await request<operations.ExportAnswer>(operations.EXPORT, variables)
      return { document: importDocument, access: accessDocument ?? null }
    },
    async history(first) {
      return (await request<{ applies: { nodes: readonly PastApply[] } }>(operations.HISTORY, { first })).applies.nodes
    },
    async pastApply(uuid) {
      const { apply } = await request<{ apply: PastApplyDetails | null }>(operations.PAST_APPLY, { uuid })
      if (apply !== null) return apply
      throw new HoldfastError('NOT_FOUND', `there is no apply ${uuid}; "history" lists them`)
    },
    async rollbackPlan(apply, settings) {
      const answer = await request<operations.RollbackAnswer>(operations.ROLLBACK, { apply, settings })
      return { plan: readablePlan(answer.rollbackPlan.json), document: answer.rollbackPlan.document }
    },
    close: close ?? (() => Promise.resolve()),
  }
}

function readablePlan<Form extends Readable>(json: Form | operations.UnreadablePlan): Form {
  if (isReadable(json)) return json
  throw new HoldfastError(
    'CONFLICT',
    'the platform makes plans of another format than this version of holdfast reads; use the same version',
  )
}

interface Readable {
  readonly formatVersion: 1
}

function isReadable<Form extends Readable>(json: Form | operations.UnreadablePlan): json is Form {
  return isObject(json) && json['formatVersion'] === 1
}

const PAUSES = [250, 1_000, 4_000]

/** Codes of refusals from before the platform looks for an earlier attempt. An earlier one may have succeeded. */
const BEFORE_THE_APPLY: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'LIMIT_EXCEEDED'])

/** Sends an apply, and again if no answer arrived. The platform knows its id and answers with the first result. */
async function applyOnce(
  request: GraphqlClient,
  wait: PlatformTargetOptions['wait'],
  variables: Variables & { readonly origin: Origin & { readonly applyId: string } },
): Promise<Apply> {
  let lost: HoldfastError | null = null
  let mayBeDone = false
  for (const pause of [...PAUSES, null]) {
    try {
      return (await request<operations.ApplyAnswer>(operations.APPLY, variables)).applyImport
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error
      if (error.code !== 'UNAVAILABLE' && !(error instanceof ForeignAnswerError)) {
        const isUnknown = error.code === 'INTERNAL' || (mayBeDone && BEFORE_THE_APPLY.has(error.code))
        throw isUnknown ? new UnknownApplyError(error) : error
      }
      const mayHaveArrived = !(error instanceof LostAnswerError) || error.mayHaveArrived
      // If the last attempt was not even sent, the earlier attempts may still have arrived.
      if (lost === null || mayHaveArrived) lost = error
      mayBeDone ||= mayHaveArrived
      if (pause !== null) await wait(pause)
    }
  }
  throw mayBeDone && lost !== null ? new UnknownApplyError(lost) : lost
}

/**
 * Limits V8's young generation. A plan stays in memory until its command ends, so reading it makes little garbage. V8
 * would still enlarge the young generation by 100 MB. It reads this factor each time before it enlarges it.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** The number of changes in each piece of text. */
const SLICE = 1_000

/**
 * The parts of a plan that the platform compares and executes, as pieces of JSON text. Bodies, impact and messages
 * are left out, because they would add megabytes. Without `withChanges` the text has only the digest instead of the
 * changes.
 */
function* effectsText(plan: Plan, withChanges: boolean, except: readonly RecordKey[]): Generator<Uint8Array> {
  const { formatVersion, domain, digest, references, own, withheld } = plan
  const scope = plan.scope.map(({ type, state }) => ({ type, state }))
  const { state, changes, diff } = plan.access
  const access = {
    state,
    ...(diff?.digest && { diff: { digest: diff.digest } }),
    ...(withChanges && { changes: changes.map(effectOf) }),
  }
  const part = {
    ...(own && { own: { scope: own.scope, waitsFor: own.waitsFor } }),
    ...(except.length > 0 && { except }),
  }
  const head = JSON.stringify({ formatVersion, domain, digest, scope, access, withheld, ...part })
  yield Buffer.from(`${head.slice(0, -1)},"references":${JSON.stringify(references)}`)
  if (withChanges) yield* changesText(plan.changes)
  yield Buffer.from('}')
}

function* changesText(changes: Plan['changes']): Generator<Uint8Array> {
  yield Buffer.from(',"changes":[')
  for (let start = 0; start < changes.length; start += SLICE) {
    const effects = JSON.stringify(changes.slice(start, start + SLICE).map(effectOf)).slice(1, -1)
    yield Buffer.from(start === 0 ? effects : `,${effects}`)
  }
  yield Buffer.from(']')
}

/** Selects the members of a change to send. JSON leaves out the undefined ones. */
function effectOf({ type, key, from, action, beforeDigest, afterDigest, secret, source }: Change) {
  return { type, key, from, action, beforeDigest, afterDigest, secret, source }
}
