import { preparePlan, type PlanResult, type PreparedPlan } from '../../../plan/make-plan.ts'
import { withKeyedDigests } from '../../../plan/keyed-digests.ts'
import type { LiveState } from '../../../plan/live-state.ts'
import { withhold, type Reader } from '../../../plan/withhold.ts'
import type { Snapshot } from '../../../documents/snapshot.ts'
import { readDomain } from '../../../store/domains.ts'
import { askData } from '../../datapoints/redefining/ask-data.ts'
import type { DomainContext } from '../../domain-context.ts'
import { hashingFirst, type HashingContext } from '../../hash-first.ts'
import { keyedDigest, liveDomain, liveMetadataRules } from './live-domain.ts'
import type { ApplyOrigin } from '../applying/apply-origin.ts'
import { plannerOf } from './planner.ts'
import { readImport, readSettings } from './read-import.ts'
import type { Sql } from '../../../db/sql.ts'
import { baseFrom } from '../../../documents/base-document.ts'
import { readDocument } from '../../../documents/read/read-document.ts'
import { hasErrors, type Diagnostic } from '../../../lib/diagnostic.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import type { Base } from '../../../plan/own/own-part.ts'

export const READS_ALL: Reader = { readsModel: true, readsData: true }

interface PlanScope {
  /** Whether the import only concerns the types in the document. If left out, only without settings in it. */
  readonly isPartial?: boolean
  /** The client's description of the base. If it is given, only the change from the base to the document is planned. */
  readonly base?: unknown
  /** Where the document comes from. */
  readonly origin?: Pick<ApplyOrigin, 'folder'>
}

/**
 * Plans an import document against a snapshot of the domain. It writes nothing, and its transactions are read-only.
 * Questions about stored data are answered in a second transaction, so that long reads block nothing.
 */
export async function planImport(
  context: DomainContext,
  document: unknown,
  settings: unknown,
  reader: Reader = READS_ALL,
  { isPartial, base, origin = {} }: PlanScope = {},
): Promise<PlanResult> {
  const decisions = readSettings(settings, isPartial)
  const read = async (sql: Sql, context: HashingContext) => {
    const planner = await plannerOf(sql, context, { folder: origin.folder ?? null, settings: decisions })
    const live = liveDomain(sql, context, { planner, isRollback: false })
    const reading = await readImport(sql, context.domain.id, document, decisions.access, live)
    const known = base === undefined ? undefined : await readBase(sql, context.domain.id, document, base)
    const found = known === null ? { ...reading, diagnostics: [WRONG_BASE, ...reading.diagnostics] } : reading
    const prepared = await preparePlan(found, live, decisions, known ? { base: known } : {})
    return { live, prepared, described: [reading.snapshot, ...(known ? [known.snapshot] : [])] }
  }
  const { database, domain } = context
  const { live, prepared, described } = await hashingFirst(context, (hashing) =>
    readDomain(database, domain.id, (sql) => read(sql, hashing)),
  )
  return planForReader(context, await finishPlan(context, prepared), live, reader, described)
}

/** Finishes a plan outside of the transaction that prepared it. */
export async function finishPlan(context: DomainContext, { questions, finish }: PreparedPlan): Promise<PlanResult> {
  return finish(await askData(context, questions))
}

/**
 * Adapts a plan to its reader. `described` are the records that the reader knows as the author of the documents; null
 * if the reader is not the author.
 */
export async function planForReader(
  context: DomainContext,
  result: PlanResult,
  live: LiveState,
  reader: Reader,
  described: readonly Snapshot[] | null,
): Promise<PlanResult> {
  const { digests } = await live.index()
  const plan = withhold(withKeyedDigests(result.plan, keyedDigest(context)), reader, {
    isNamed: ({ type, key }) => described?.some((snapshot) => snapshot.get(type)?.records.has(key)) === true,
    // A reader who did not write the document does not know the people whom the document would restore.
    lives: ({ type, key }) => described === null || digests.get(type)?.has(key) === true,
  })
  const { leftAlone, keptDrift, grantedUnits } = result
  return { plan, pointers: result.pointers, leftAlone, keptDrift, grantedUnits }
}

/** Reads a base; null if the base itself is invalid, so that the change is unknown. */
async function readBase(sql: Sql, domainId: number, document: unknown, sent: unknown): Promise<Base | null> {
  const base = isObject(sent) ? baseFrom(document, sent['document']) : null
  if (!isObject(sent) || base === null) throw notABase()
  const { access, moved, acknowledge } = readSettings(sent['settings'] ?? {})
  const rules = await liveMetadataRules(sql, domainId)
  const { snapshot, diagnostics } = readDocument(base, rules, access)
  return hasErrors(diagnostics) ? null : { snapshot, moved, acknowledge }
}

/** The finding if the base is invalid and everything is planned instead. */
const WRONG_BASE: Diagnostic = {
  severity: 'warning',
  code: 'no-base',
  message:
    'the base models have errors, so the changes against them are unknown; the plan covers everything that differs between the models and the platform',
  pointer: '',
}

function notABase(): HoldfastError {
  return new HoldfastError(
    'BAD_USER_INPUT',
    'base: give an object with document, the lists of record types that differ as {without: [places], with: [records]} or null, and settings',
  )
}
