import { hash } from 'node:crypto'
import { locateDiagnostics } from '../../documents/locate-diagnostics.ts'
import { readSentDocument, withRecordFindings, type SentDocument } from '../../documents/read/sent-document.ts'
import type { Digest } from '../../lib/digest.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { jsonPieces } from '../../lib/json-pieces.ts'
import { allChanges, type Plan } from '../../plan/plan.ts'
import { renderText } from '../../plan/render/text/render-text.ts'
import type { Reader } from '../../plan/withhold.ts'
import type { Apply } from '../../platform/imports/history/applies.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { AnswerBudget, MOST_DOCUMENT_BYTES } from '../../platform/answer-budget.ts'
import { planImport } from '../../platform/imports/planning/plan-import.ts'
import { NO_SETTINGS } from '../../records/settings.ts'
import type { NoteAccessChange } from '../access-log.ts'
import { writeAnswer } from '../written-answer.ts'
import type { ImportOrder } from './import-order.ts'
import { documentProblem, importProblem } from './import-problem.ts'
import { applyAndNote } from './noted-apply.ts'

export interface ImportCall {
  readonly context: DomainContext
  readonly reader: Reader
  readonly order: ImportOrder
  readonly body: Uint8Array
  readonly traceId: string
  readonly noteAccessChange: NoteAccessChange
}

const COLUMNS = 100

/**
 * The specification requires this: an import leaves types alone that the document does not have, even if an earlier
 * import managed them.
 */
const IS_PARTIAL = true

/**
 * Answers with the plan of a document, or with the result of its apply. A plan that is longer than the budget is
 * rejected while it is written.
 */
export async function answerImport(
  call: ImportCall,
  budget = new AnswerBudget(MOST_DOCUMENT_BYTES),
): Promise<Response> {
  const { context, reader, order, body, traceId } = call
  const sent = readSentDocument(body, order.form)
  const problem = documentProblem(sent, withRecordFindings(sent, sent.diagnostics), traceId)
  if (problem !== null) return problem
  const settings = { ...NO_SETTINGS, acknowledge: order.allowed }
  const plan = async () =>
    withPlaces((await planImport(context, sent.document, settings, reader, { isPartial: IS_PARTIAL })).plan, sent)
  try {
    if (order.apply === null) return await answerPlan(await plan(), order.answer, budget)
    return Response.json(await apply(call, sent, settings, { ...order, apply: order.apply }, plan))
  } catch (error) {
    return importProblem(error, sent, traceId)
  }
}

/**
 * Adds positions in the text to the findings of a plan, and the warnings about the text itself. The sender sent only
 * one text, so no position names a file.
 */
export function withPlaces(plan: Plan, sent: SentDocument): Plan {
  const found = [...locateDiagnostics(plan.diagnostics, sent), ...sent.diagnostics]
  const diagnostics = found.map(({ file: _, related, ...finding }) => ({
    ...finding,
    ...(related && { related: related.map(({ file: _file, ...place }) => place) }),
  }))
  return { ...plan, diagnostics }
}

async function answerPlan(plan: Plan, type: ImportOrder['answer'], budget: AnswerBudget): Promise<Response> {
  const isJson = type === 'application/json'
  const bytes = await writeAnswer(isJson ? jsonPieces(plan) : [await planText(plan, type)], budget)
  const headers = { 'x-plan-digest': plan.digest, 'content-type': isJson ? type : `${type}; charset=utf-8` }
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.length) } })
}

async function planText(plan: Plan, type: ImportOrder['answer']): Promise<string> {
  if (type === 'text/markdown') return (await import('../../plan/render/markdown/fit-markdown.ts')).fitMarkdown(plan)
  const command = `send the document again with ?apply=${plan.digest}`
  const next = plan.outcome === 'changes' ? { label: 'Apply it', command } : null
  return `${renderText(plan, { color: false, width: COLUMNS, next })}\n`
}

/** Applies the plan with the reviewed digest. It only does so if the present plan still has the same effects. */
async function apply(
  { context, noteAccessChange, body }: ImportCall,
  { document }: SentDocument,
  settings: object,
  { apply: digest, applyId }: ImportOrder & { readonly apply: Digest },
  planAgain: () => Promise<Plan>,
): Promise<Apply> {
  const origin = applyId === null ? {} : { applyId }
  const request = {
    document,
    settings,
    plan: reviewedBy(context, digest),
    origin,
    isPartial: IS_PARTIAL,
    ...(applyId !== null && { textDigest: hash('sha256', body, 'buffer') }),
  }
  return applyAndNote(context, request, noteAccessChange).catch(async (error: unknown) => {
    if (!(error instanceof HoldfastError) || error.code !== 'STALE_PLAN') throw error
    throw otherPlan(await planAgain())
  })
}

/** Makes a reviewed plan of its digest alone, which is enough to identify it. */
export function reviewedBy({ domain }: Pick<DomainContext, 'domain'>, digest: Digest): object {
  return { formatVersion: 1, domain: domain.slug, digest, scope: [], references: [] }
}

const MOST_NAMED = 100

function otherPlan(plan: Plan): HoldfastError {
  const changes = allChanges(plan)
  const message = `the plan of this document has changed to ${plan.digest}: check it, and apply that plan; nothing was changed`
  const details = changes
    .slice(0, MOST_NAMED)
    .map(({ type, key, action }) => ({ type, key, reason: `the present plan would ${action} it` }))
  return new HoldfastError('STALE_PLAN', message, { details })
}
