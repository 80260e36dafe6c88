import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { unpackOutline } from '../../../store/model/apply-changes.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchKeptParts, fetchKeptPlan, fetchSealedDocument, keepPlan } from '../../../store/model/kept-plans.ts'
import { changeApart } from '../../change-domain.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { ChangeList } from '../history/change-list.ts'
import type { PackedPlan, PlanHead } from './packed-plan.ts'

// Plans of the console are stored for an hour, for the person who made them, so that every server and worker has them.

const KEPT_MS = 3_600_000
/**
 * The maximum number of bytes of all plans of a domain. Beyond it, the oldest plans of the person with the most bytes
 * are deleted first.
 */
const MOST_BYTES = 268_435_456
/** The largest stored document, in bytes. Only the command line applies a larger one. */
export const MOST_KEPT_BYTES = 16_777_216

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

/** The planned text, for an apply of exactly this plan. */
interface PlannedText {
  readonly form: 'json' | 'yaml'
  readonly document: string
  readonly settings: string | null
}

/** Facts about a plan, besides its content. */
interface PlanNote {
  /** The subject of the plan, in a few words. */
  readonly of: string
  /** The apply that the plan would undo. */
  readonly rollbackOf: string | null
}

export interface KeptPlan extends PlanNote {
  readonly id: string
  readonly plan: PlanHead
  readonly at: Date
  /** Whether the document is stored, too. */
  readonly canApply: boolean
  readonly changes: ChangeList
}

interface Head extends PlanNote {
  readonly plan: PlanHead
  readonly canApply: boolean
}

type KeepingContext = Pick<DomainContext, 'database' | 'domain' | 'now' | 'newId' | 'key' | 'stillMay'>

export async function keepPlanFor(
  context: KeepingContext,
  owner: string,
  { plan, changes }: PackedPlan,
  { of, rollbackOf, text }: PlanNote & { readonly text: PlannedText | null },
): Promise<string> {
  const { domain, now, newId, key } = context
  const [uuid, madeAt] = [newId(), now()]
  const written = text === null ? null : JSON.stringify(text)
  const fits = written !== null && Buffer.byteLength(written) <= MOST_KEPT_BYTES
  const sealed = fits ? key.seal(written, contextOf(domain.uuid, uuid)) : null
  const head: Head = { plan, of, rollbackOf, canApply: fits || rollbackOf !== null }
  const row = {
    uuid,
    owner,
    madeAt,
    forgetAt: new Date(madeAt.getTime() + KEPT_MS),
    head: await compress(JSON.stringify(head)),
    sealed,
    ...changes,
  }
  await changeApart(context, (sql) => keepPlan(sql, domain.id, row, MOST_BYTES))
  return uuid
}

function contextOf(domainUuid: string, uuid: string): string {
  return `kept plan ${domainUuid} ${uuid}`
}

/** Finds a plan; null if it expired, or was made by another person. */
export async function findKeptPlan(
  { database, domain, now }: KeepingContext,
  owner: string,
  id: string,
): Promise<KeptPlan | null> {
  const wanted = { uuid: id, owner, now: now() }
  const row = await readDomain(database, domain.id, (sql) => fetchKeptPlan(sql, domain.id, wanted))
  if (row === null) return null
  const head = parseHead(String(await decompress(row.head)))
  const changes = {
    outline: await unpackOutline(row.outline),
    fetch: (places: readonly number[] | null) =>
      readDomain(database, domain.id, (sql) => fetchKeptParts(sql, domain.id, id, places)),
  }
  return { ...head, id, at: row.madeAt, changes }
}

/** The text of a kept plan; null if it was too large to store, or was no document. */
export async function plannedText({ database, domain, key }: KeepingContext, id: string): Promise<PlannedText | null> {
  const sealed = await readDomain(database, domain.id, (sql) => fetchSealedDocument(sql, domain.id, id))
  return sealed === null ? null : parseText(key.unseal(sealed, contextOf(domain.uuid, id)))
}

// Only this file writes these values.

function parseHead(text: string): Head {
  return JSON.parse(text) as Head
}

function parseText(text: string): PlannedText {
  return JSON.parse(text) as PlannedText
}
