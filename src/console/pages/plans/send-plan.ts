import { isObject } from '../../../lib/json.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { readerOf } from '../../../plan/withhold.ts'
import { accountOf, type Actor } from '../../../platform/access/grants/actor.ts'
import { planForPages, readPacked, type PagesOrder } from '../../../server/import/plan-for-pages.ts'
import type { Visit } from '../../page.ts'
import {
  keepPlanFor,
  MOST_KEPT_BYTES,
  plannedText,
  type KeptPlan,
} from '../../../platform/imports/planning/kept-plans.ts'
import type { Acknowledgement } from '../../../records/settings.ts'

/** The reason why a document was not planned. */
export interface PlanProblem {
  readonly message: string
  readonly errors: readonly ProblemError[]
  /** The number of errors. Only the first ones are listed. */
  readonly count: number
}

export interface ProblemError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly line?: number
  readonly column?: number
}

/** Makes a plan and keeps it. Returns the id of its page, or the errors in the document. */
export async function planAndKeep(
  visit: Visit,
  order: PagesOrder,
  body: Uint8Array,
  of: string,
): Promise<{ readonly id: string } | { readonly problem: PlanProblem }> {
  const { context, caller, actor } = visit
  // The document may contain secrets, so it is kept only for people who may apply it.
  const isKept = 'form' in order && caller.rights.has('model:apply') && body.length <= MOST_KEPT_BYTES
  // Copies the text first, because the planning thread takes over the memory of the body.
  const text = isKept ? { form: order.form, document: textOf(body), settings: order.settings } : null
  const response = await answer(visit, order, body)
  if (!response.ok) return { problem: problemOf(await response.json()) }
  const rollbackOf = 'rollbackOf' in order ? order.rollbackOf : null
  const note = { of, rollbackOf, text }
  return { id: await keepPlanFor(context, ownerOf(actor), await readPacked(response), note) }
}

export async function planRollbackForPages(visit: Visit, rollbackOf: string): Promise<string> {
  const made = await planAndKeep(visit, { rollbackOf }, new Uint8Array(), 'the roll-back of an apply')
  if ('id' in made) return made.id
  throw new HoldfastError('CONFLICT', made.problem.message)
}

/** Applies exactly the kept plan. Returns the apply, or the reason why nothing was applied. */
export async function applyKept(
  visit: Visit,
  { id, plan: { digest }, rollbackOf }: KeptPlan,
  allowed: readonly Acknowledgement[],
): Promise<{ readonly uuid: string } | { readonly problem: PlanProblem }> {
  const text = await plannedText(visit.context, id)
  if (text === null && rollbackOf === null)
    throw new HoldfastError('CONFLICT', 'the document of this plan is not kept; apply it by the command line')
  // The plan and its apply have the same id, so a plan is applied at most once, even if the form is sent again.
  const apply = { digest, applyId: id, allowed }
  const order = text === null ? { rollbackOf: rollbackOf ?? '', apply } : { ...text, apply }
  const response = await answer(visit, order, Buffer.from(text?.document ?? ''))
  const told: unknown = await response.json()
  if (!response.ok) return { problem: problemOf(told) }
  return { uuid: isObject(told) ? String(told['uuid']) : id }
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body)
}

/** The owner of a kept plan: its author with these rights, because its content depends on these. */
export function ownerOf(actor: Actor): string {
  const { readsModel, readsData } = readerOf(actor)
  return `${accountOf(actor)} ${readsModel} ${readsData}`
}

/** Plans on another thread, because a large plan would block the thread that serves the sockets. */
function answer(visit: Visit, order: PagesOrder, body: Uint8Array): Promise<Response> {
  const { context, platform, actor, request, tokenHash, noteAccessChange } = visit
  const [traceId, { domain }] = [request.get('traceId'), context]
  const { heavy } = platform
  if (heavy === undefined)
    return planForPages({ context, reader: readerOf(actor), order, body, traceId, noteAccessChange })
  const asked = { body, domain, actor, tokenHash, traceId, pages: order }
  return heavy.answer(asked, request.req.raw.signal)
}

function problemOf(problem: unknown): PlanProblem {
  const told: { readonly [name: string]: unknown } = isObject(problem) ? problem : {}
  const errors = Array.isArray(told['errors']) ? told['errors'].flatMap(errorOf) : []
  return { message: String(told['detail'] ?? ''), errors, count: Number(told['errorCount'] ?? errors.length) }
}

/** Converts an error. A finding in a document has a pointer. A reason that stops an apply names a record or type. */
function errorOf(error: unknown): ProblemError[] {
  if (!isObject(error)) return []
  const { pointer, code, detail, type, key, reason, message, line, column } = error
  const position = typeof line === 'number' && typeof column === 'number' ? { line, column } : {}
  const place = [type, key].filter((part) => typeof part === 'string').join('/')
  const told = [detail, reason, message].find((text) => typeof text === 'string')
  return [
    {
      pointer: typeof pointer === 'string' ? pointer : place,
      code: typeof code === 'string' ? code : '',
      detail: typeof told === 'string' ? told : '',
      ...position,
    },
  ]
}
