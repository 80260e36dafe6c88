import { DOCUMENT_LIMITS } from '../../documents/read/load.ts'
import { readFile } from '../../documents/read/read-file.ts'
import { readSentDocument, withRecordFindings, type SentDocument } from '../../documents/read/sent-document.ts'
import { readSettingsFiles } from '../../documents/read/settings-file.ts'
import type { SourcePosition } from '../../lib/diagnostic.ts'
import type { PlanResult } from '../../plan/make-plan.ts'
import { allChanges } from '../../plan/plan.ts'
import { packPlan, type PackedPlan, type PlanHead } from '../../platform/imports/planning/packed-plan.ts'
import { planImport } from '../../platform/imports/planning/plan-import.ts'
import { planRollback } from '../../platform/imports/applying/roll-back.ts'
import { readSettings } from '../../platform/imports/planning/read-import.ts'
import { recordId } from '../../records/record-id.ts'
import { NO_SETTINGS, type Acknowledgement, type Settings } from '../../records/settings.ts'
import type { ApplyRequest } from '../../platform/imports/applying/apply-import.ts'
import type { Digest } from '../../lib/digest.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { problemResponse } from '../requests/error-response.ts'
import { reviewedBy, withPlaces, type ImportCall } from './answer-import.ts'
import { documentProblem, importProblem } from './import-problem.ts'
import { applyAndNote } from './noted-apply.ts'

/** The subject of a plan for a page: a sent document, perhaps with holdfast.yaml, or the rollback of an apply. */
type Planned = { readonly form: 'json' | 'yaml'; readonly settings: string | null } | { readonly rollbackOf: string }

/** With `apply`, carries out the plan that a person has reviewed. */
export type PagesOrder = Planned & { readonly apply?: PagesApply }

export interface PagesApply {
  readonly digest: Digest
  /** A second order with the same id gets the result of the first. */
  readonly applyId: string
  readonly allowed: readonly Acknowledgement[]
}

export interface PagesCall extends Omit<ImportCall, 'order'> {
  readonly order: PagesOrder
}

/** Answers with a packed plan as JSON, or with the errors of the document. */
export async function planForPages(call: PagesCall): Promise<Response> {
  const { context, reader, order, body, traceId } = call
  if ('rollbackOf' in order) {
    if (order.apply !== undefined) {
      const origin = { rollbackOf: order.rollbackOf }
      return applyForPages(call, order.apply, { document: {}, settings: NO_SETTINGS, origin })
    }
    const { plan } = await planRollback(context, order.rollbackOf, readSettings(undefined), reader)
    return answerPacked(await packPlan(plan, new Map()))
  }
  const sent = readSentDocument(body, order.form)
  const { settings, diagnostics } = readGivenSettings(order.settings)
  const found = withRecordFindings(sent, [...sent.diagnostics, ...diagnostics])
  const problem = documentProblem(sent, found, traceId)
  if (problem !== null) return problem
  if (order.apply !== undefined) {
    const isPartial = settings === null
    const request = { document: sent.document, settings: settings ?? NO_SETTINGS, origin: {}, isPartial }
    return applyForPages(call, order.apply, request)
  }
  try {
    const result = await planImport(context, sent.document, settings, reader)
    return answerPacked(await packPlan(withPlaces(result.plan, sent), sourcesIn(sent, result)))
  } catch (error) {
    return importProblem(error, sent, traceId)
  }
}

/** Applies the reviewed plan if it is still the same. Guards can be acknowledged for this apply only. */
async function applyForPages(
  { context, traceId, noteAccessChange }: PagesCall,
  { digest, applyId, allowed }: PagesApply,
  { settings, origin, ...request }: Omit<ApplyRequest, 'plan'> & { readonly settings: Settings },
): Promise<Response> {
  const decided = { ...settings, acknowledge: [...settings.acknowledge, ...allowed] }
  const plan = reviewedBy(context, digest)
  const decidedRequest = { ...request, settings: decided, plan, origin: { ...origin, applyId } }
  try {
    return Response.json(await applyAndNote(context, decidedRequest, noteAccessChange))
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code === 'INTERNAL') throw error
    return problemResponse(error, traceId)
  }
}

/** Reads the settings. If there are none, the import covers only the types that the document has. */
function readGivenSettings(text: string | null): {
  readonly settings: Settings | null
  readonly diagnostics: SentDocument['diagnostics']
} {
  if (text === null) return { settings: null, diagnostics: [] }
  const { depth, aliasedValues } = DOCUMENT_LIMITS
  const aliases = { limit: aliasedValues, left: aliasedValues }
  const file = readFile({ path: 'holdfast.yaml', bytes: Buffer.from(text) }, { maxDepth: depth, aliases })
  return readSettingsFiles([file], depth)
}

/** The maximum number of changes whose positions are looked up. More would take longer than the plan itself. */
const MOST_LOCATED = 10_000

function sourcesIn({ locate }: SentDocument, { plan, pointers }: PlanResult): ReadonlyMap<string, SourcePosition> {
  const changes = allChanges(plan)
  if (changes.length > MOST_LOCATED) return new Map()
  const ids = changes.flatMap((change) => {
    const pointer = pointers.get(recordId(change))
    return pointer === undefined ? [] : [[recordId(change), pointer] as const]
  })
  const positions = locate(ids.map(([, pointer]) => pointer))
  return new Map(
    ids.flatMap(([id, pointer]) => {
      const position = positions.get(pointer)
      return position === undefined ? [] : [[id, position] as const]
    }),
  )
}

interface WrittenPlan {
  readonly plan: PlanHead
  readonly outline: string
  readonly parts: readonly string[]
}

function answerPacked({ plan, changes }: PackedPlan): Response {
  const written: WrittenPlan = { plan, outline: base64(changes.outline), parts: changes.parts.map(base64) }
  return Response.json(written)
}

export async function readPacked(response: Response): Promise<PackedPlan> {
  const { plan, outline, parts } = (await response.json()) as WrittenPlan
  return { plan, changes: { outline: bytesOf(outline), parts: parts.map(bytesOf) } }
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
