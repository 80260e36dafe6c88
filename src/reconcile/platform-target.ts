import { randomUUID } from 'node:crypto'
import { HoldfastError } from '../lib/errors.ts'
import { isObject, type JsonObject } from '../lib/json.ts'
import type { Plan } from '../plan/plan.ts'
import type { Settings } from '../records/settings.ts'
import { WrittenJson, type GraphqlClient } from './graphql-client.ts'
import * as operations from './operations.ts'
import type { Apply, Origin, PastApply, PastApplyDetails, Target, WrittenDocument } from './target.ts'

export interface PlatformTargetOptions {
  readonly request: GraphqlClient
  readonly wait: (milliseconds: number) => Promise<void>
  close?(): Promise<void>
}

/** The platform over GraphQL, whether it is far away or in this process. */
export function platformTarget({ request, wait, close }: PlatformTargetOptions): Target {
  return {
    async plan(models, settings, detail) {
      const variables = { document: jsonOf(models), settings }
      const query = detail === 'brief' ? operations.BRIEF_PLAN : operations.PLAN
      const { planImport } = await request<operations.PlanAnswer>(query, variables)
      return { plan: readablePlan(planImport.json), pointers: new Map(Object.entries(planImport.pointers)) }
    },
    apply: (models, settings, plan, origin) =>
      applyOnce(request, wait, { document: jsonOf(models), settings, plan, origin }),
    async exportDocument(types) {
      return (await request<{ importDocument: JsonObject }>(operations.EXPORT, { types: types ?? null })).importDocument
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

/** The file's own bytes where they are the document: writing megabytes again would cost as much as reading them. */
function jsonOf({ document, written }: WrittenDocument): JsonObject | WrittenJson {
  return written === null ? document : new WrittenJson(written)
}

function readablePlan(json: unknown): Plan {
  if (isObject(json) && json['formatVersion'] === 1) return json as unknown as Plan
  throw new HoldfastError(
    'CONFLICT',
    'the platform makes plans of another format than this version of holdfast reads; use the same version',
  )
}

interface ApplyRequest {
  readonly document: JsonObject | WrittenJson
  readonly settings: Settings
  readonly plan: Plan
  readonly origin: Origin
}

const PAUSES = [250, 1_000, 4_000]

/**
 * Sends an apply, and sends it again where no answer came: the id tells the platform that it is the same one, which it
 * answers with the first result (semantics, section 7).
 */
async function applyOnce(
  request: GraphqlClient,
  wait: PlatformTargetOptions['wait'],
  apply: ApplyRequest,
): Promise<Apply> {
  const origin = { ...apply.origin, applyId: randomUUID() }
  const variables = { ...apply, plan: effectsOf(apply.plan), origin }
  for (const pause of PAUSES) {
    try {
      return (await request<operations.ApplyAnswer>(operations.APPLY, variables)).applyImport
    } catch (error) {
      if (!(error instanceof HoldfastError && error.code === 'UNAVAILABLE')) throw error
      await wait(pause)
    }
  }
  return (await request<operations.ApplyAnswer>(operations.APPLY, variables)).applyImport
}

/** What the platform compares and executes; bodies, impact and messages would only be megabytes on the way. */
export function effectsOf({ formatVersion, domain, digest, scope, changes, references }: Plan) {
  return {
    formatVersion,
    domain,
    digest,
    scope: scope.map(({ type, state }) => ({ type, state })),
    changes: changes.map(({ type, key, from, action, beforeDigest, afterDigest, secret }) => ({
      type,
      key,
      ...(from !== undefined && { from }),
      action,
      beforeDigest,
      afterDigest,
      ...(secret !== undefined && { secret }),
    })),
    references,
  }
}
