import { readDocument } from '../../src/documents/read/read-document.ts'
import { hasErrors } from '../../src/lib/diagnostic.ts'
import { SECRET_FIELDS } from '../../src/documents/secret-fields.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import { briefPlan } from '../../src/plan/brief-plan.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { LiveIndex } from '../../src/plan/live-state.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { DOCUMENT_TYPE_NAMES, isDocumentTypeName } from '../../src/records/record-type.ts'
import { standsForSecret } from '../../src/records/secret.ts'
import type { Settings } from '../../src/records/settings.ts'
import { fileLiveState } from '../../src/reconcile/models/file-live-state.ts'
import { validPlan } from '../support/valid-plan.ts'

/** What was sent to the platform, by operation. */
export interface Call {
  readonly operation: string
  readonly variables: { readonly [name: string]: unknown }
  readonly authorization: string | null
}

type Reply = () => Response | Promise<Response>

/**
 * A platform in memory behind the same `fetch` as the real one: it plans with the real planner and keeps the document
 * of the last apply. `next` replaces its next answer to an operation, for all that can go wrong.
 */
export class FakePlatform {
  live: JsonObject
  /** Types that no apply managed, though records of them live. */
  neverManaged: readonly string[] = []
  /** What somebody changed below the models. */
  drift: NonNullable<Plan['drift']> = []
  /** Whether somebody has made on the platform what differs. */
  isDrifted = false
  readonly calls: Call[] = []
  readonly applied: {
    uuid: string
    before: JsonObject
    changes: Plan['changes']
    plan: Plan
    rollbackOf: string | null
    /** Where the apply says that it came from. */
    origin: object
  }[] = []
  readonly #replies = new Map<string, Reply[]>()

  constructor(live: JsonObject = {}) {
    this.live = live
  }

  next(operation: string, ...replies: readonly Reply[]): this {
    this.#replies.set(operation, [...(this.#replies.get(operation) ?? []), ...replies])
    return this
  }

  callsOf(operation: string): readonly Call[] {
    return this.calls.filter((call) => call.operation === operation)
  }

  fetch = async (request: Request): Promise<Response> => {
    const { query, variables } = (await request.json()) as { query: string; variables: Call['variables'] }
    const operation = /\{\s*(\w+)/.exec(query)?.[1] ?? ''
    this.calls.push({ operation, variables, authorization: request.headers.get('authorization') })
    const reply = this.#replies.get(operation)?.shift()
    return reply === undefined ? this.#answer(operation, variables) : reply()
  }

  async #answer(operation: string, variables: Call['variables']): Promise<Response> {
    const { document, settings } = variables as { document: JsonObject; settings: Settings }
    if (operation === 'planImport') return this.#plan(document, settings)
    if (operation === 'applyImport') return this.#apply(document, settings, variables['origin'] as ApplyOrigin)
    if (operation === 'importDocument') return data({ importDocument: withoutSecrets(this.live) })
    if (operation === 'applies')
      return data({ applies: { nodes: this.applied.map((one) => this.#pastApply(one)).toReversed() } })
    if (operation === 'currentDomain') return data({ currentDomain: { name: 'local' } })
    const found = this.applied.find(({ uuid }) => uuid === variables['uuid'] || uuid === variables['apply'])
    if (operation === 'apply')
      return data({
        apply:
          found === undefined
            ? null
            : { ...this.#pastApply(found), changes: found.changes.map((change) => ({ from: null, ...change })) },
      })
    if (found === undefined) return failure('NOT_FOUND', 'there is no such apply')
    const made = await this.#make(found.before, settings)
    return data({ rollbackPlan: { json: made.plan, document: found.before } })
  }

  async #plan(document: JsonObject, settings: Settings): Promise<Response> {
    const reading = readDocument(document)
    if (hasErrors(reading.diagnostics)) return failure('BAD_USER_INPUT', 'the document has errors', reading.diagnostics)
    const { plan, pointers } = await this.#make(document, settings)
    return data({
      planImport: { json: plan, pointers: Object.fromEntries(pointers), brief: briefPlan({ plan, pointers }) },
    })
  }

  async #apply(
    document: JsonObject,
    settings: Settings,
    { rollbackOf = null, applyId: _, ...origin }: ApplyOrigin,
  ): Promise<Response> {
    const { plan } = await this.#make(document, settings)
    const uuid = `00000000-0000-4000-8000-${String(this.applied.length + 1).padStart(12, '0')}`
    this.applied.push({ uuid, before: this.live, changes: plan.changes, plan, rollbackOf, origin })
    this.live = { ...this.live, ...document }
    this.neverManaged = []
    return data({
      applyImport: { uuid, recorded: true, at: '2026-01-02T03:04:05Z', planDigest: plan.digest, summary: plan.summary },
    })
  }

  async #make(document: JsonObject, settings: Settings) {
    const state = fileLiveState(readDocument(this.live).snapshot)
    const index = async (): Promise<LiveIndex> => {
      const found = await state.index()
      const managed = DOCUMENT_TYPE_NAMES.flatMap((type) => {
        const how = this.neverManaged.includes(type) ? undefined : found.managed.get(type)
        return how === undefined ? [] : [[type, how] as const]
      })
      return { ...found, managed: new Map(managed) }
    }
    const made = await makePlan(readDocument(document), { ...state, domain: 'local', index }, settings)
    const changes = made.plan.changes.map((change) =>
      this.isDrifted ? { ...change, cause: 'drift' as const } : change,
    )
    const plan = { ...made.plan, changes, ...(this.drift.length > 0 && { drift: this.drift }) }
    return { pointers: made.pointers, plan: validPlan(plan) }
  }

  #pastApply({ uuid, plan, rollbackOf, origin: said }: FakePlatform['applied'][number]) {
    const { digest: planDigest, summary, scope } = plan
    const origin = { commit: '0123456789abcdef0123456789abcdef01234567', ref: 'refs/heads/main', ...said }
    return { uuid, at: '2026-01-02T03:04:05Z', actor: 'operator', planDigest, summary, origin, scope, rollbackOf }
  }
}

/** An export refers to secrets, and never has one. */
function withoutSecrets(document: JsonObject): JsonObject {
  const lists = Object.entries(document).map(([type, list]): [string, Json] => {
    const field = isDocumentTypeName(type) ? SECRET_FIELDS.get(type) : undefined
    if (field === undefined || !isJsonList(list)) return [type, list]
    const reference = { [field]: `\${env:${type.toUpperCase()}}` }
    const records = list.filter(isJsonObject)
    return [type, records.map((one) => (standsForSecret(String(one[field])) ? one : { ...one, ...reference }))]
  })
  return Object.fromEntries(lists)
}

interface ApplyOrigin {
  readonly rollbackOf?: string | null
  readonly applyId?: string
}

export function data(body: object): Response {
  return Response.json({ data: body }, { headers: { 'x-trace-id': 'trace' } })
}

export function failure(code: string, message: string, details: readonly unknown[] = []): Response {
  return Response.json({
    errors: [{ message, extensions: { code, traceId: '4bf92f3577b34da6a3ce929d0e0e4736', details } }],
  })
}
