import { isObject } from '../../../lib/json.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { readerOf } from '../../../plan/withhold.ts'
import { accountOf, type Actor } from '../../../platform/access/grants/actor.ts'
import { planForPages, readPacked, type PagesOrder } from '../../../server/import/plan-for-pages.ts'
import type { Visit } from '../../page.ts'
import { keptPlans } from './kept-plans.ts'

/** Why a document was not planned. */
export interface PlanProblem {
  readonly message: string
  readonly errors: readonly ProblemError[]
  /** How many there are, of which the first ones are told. */
  readonly count: number
}

export interface ProblemError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly line?: number
  readonly column?: number
}

/** Makes a plan and keeps it. Gives the id under which it is looked at, or what is wrong with the document. */
export async function makePlan(
  visit: Visit,
  order: PagesOrder,
  body: Uint8Array,
  of: string,
): Promise<{ readonly id: string } | { readonly problem: PlanProblem }> {
  const { context, platform, actor, now } = visit
  const response = await answer(visit, order, body)
  if (!response.ok) return { problem: problemOf(await response.json()) }
  const id = context.newId()
  const rollbackOf = 'rollbackOf' in order ? order.rollbackOf : null
  const packed = await readPacked(response)
  const kept = { ...packed, id, domainId: context.domain.id, owner: ownerOf(actor), at: now, of, rollbackOf }
  keptPlans(platform).keep(kept)
  return { id }
}

export async function planRollbackForPages(visit: Visit, rollbackOf: string): Promise<string> {
  const made = await makePlan(visit, { rollbackOf }, new Uint8Array(), 'the roll-back of an apply')
  if ('id' in made) return made.id
  throw new HoldfastError('CONFLICT', made.problem.message)
}

/** How much a plan shows depends on the rights of its reader, so it is kept for these rights alone. */
export function ownerOf(actor: Actor): string {
  const { readsModel, readsData } = readerOf(actor)
  return `${accountOf(actor)} ${readsModel} ${readsData}`
}

/** A large plan is no work for the thread that has the sockets. */
function answer({ context, platform, actor, request }: Visit, order: PagesOrder, body: Uint8Array): Promise<Response> {
  const [traceId, { domain }] = [request.get('traceId'), context]
  const { heavy } = platform
  if (heavy === undefined) return planForPages({ context, reader: readerOf(actor), order, body, traceId })
  const asked = { body, domain, actor, tokenHash: new Uint8Array(), traceId, pages: order }
  return heavy.answer(asked, request.req.raw.signal)
}

function problemOf(problem: unknown): PlanProblem {
  const told: { readonly [name: string]: unknown } = isObject(problem) ? problem : {}
  const errors = Array.isArray(told['errors']) ? told['errors'].flatMap(errorOf) : []
  return { message: String(told['detail'] ?? ''), errors, count: Number(told['errorCount'] ?? errors.length) }
}

function errorOf(error: unknown): ProblemError[] {
  if (!isObject(error)) return []
  const { pointer, code, detail, line, column } = error
  const position = typeof line === 'number' && typeof column === 'number' ? { line, column } : {}
  return [{ pointer: String(pointer), code: String(code), detail: String(detail), ...position }]
}
