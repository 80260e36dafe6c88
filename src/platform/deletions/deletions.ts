import type { DeletionCounts } from '../../../generated/entities.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { DELETION } from '../../records/entities.ts'
import type { Sql } from '../../db/sql.ts'
import { fenceFlushes } from '../../store/datapoints/arriving/writer-slots.ts'
import { forgetDeletion, MOST_AT_ONCE } from '../../store/deletions.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchEntities, insertEntities } from '../../store/entities.ts'
import { countEntities, fetchEntityPage, fetchPageBytes } from '../../store/entity-pages.ts'
import { changeDomain, requireRightsStill } from '../change-domain.ts'
import { countErasable } from '../datapoints/erasing/count-erasable.ts'
import type { DomainContext } from '../domain-context.ts'
import { pageOf, type Page, type PageRequest } from '../paging.ts'
import type { Reach } from '../systems/reach.ts'
import { DATAPOINTS } from './delete-datapoints.ts'
import { THINGS } from './delete-systems.ts'
import { ownerOf, openPreview, sealPreview, textOf, TOKEN_MINUTES, type Preview } from './deletion-token.ts'
import {
  NOTHING,
  rangeOf,
  type Deleting,
  type Deletion,
  type Found,
  type Moment,
  type Wanted,
} from './deletion-target.ts'

// A deletion has two steps (docs/decisions/0074). The preview counts, and its token holds the moment up to which
// everything is deleted. The deletion deletes exactly this, even if more data arrived since.

/** The limits of previews of datapoints, for each domain and process. Each preview makes running flushes try again. */
export const PREVIEW_LIMITS = { atOnce: 5, afterwardsEveryMs: 1_000, longestWaitMs: 10_000 } as const

/** For each domain, the time at which its next fence may run, because fences run one after the other. */
const fences = new Map<string, number>()

/** Waits until a preview may fence the flushes of its domain. */
async function turnToFence({ uuid }: DomainContext['domain']): Promise<void> {
  const now = performance.now()
  for (const [domain, due] of fences) if (due <= now) fences.delete(domain)
  const due = fences.get(uuid) ?? now
  const { atOnce, afterwardsEveryMs, longestWaitMs } = PREVIEW_LIMITS
  const rest = due - now - (atOnce - 1) * afterwardsEveryMs
  if (rest > longestWaitMs) throw tooMany()
  fences.set(uuid, due + afterwardsEveryMs)
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest))
}

export interface DeletionPreview {
  readonly token: string
  readonly expiresAt: Date
  readonly counts: DeletionCounts
}

/** Counts the data that a deletion deletes. Data that is stored later stays. */
export async function previewDeletion(context: DomainContext, actor: Reach, wanted: Wanted): Promise<DeletionPreview> {
  const { database, domain } = context
  const look = async (sql: Sql) => {
    const here = await find({ sql, context, actor }, wanted, null)
    const through = here.needsFence ? await fenceFlushes(sql, domain.id) : Number.MAX_SAFE_INTEGER
    return { found: here, moment: { lastSeries: here.seriesIds.at(-1) ?? 0, through } }
  }
  const isOfDatapoints = wanted.kind === 'DATAPOINTS'
  if (isOfDatapoints) await turnToFence(domain)
  const { found, moment } = await (isOfDatapoints ? changeDomain(context, look) : readDomain(database, domain.id, look))
  const range = rangeOf(found.described, moment)
  const datapoints = await countErasable(database, domain.id, { seriesIds: found.seriesIds, range })
  await requireRightsStill(context)
  const counts = { ...found.counts, datapoints }
  const expiresAt = context.now().getTime() + TOKEN_MINUTES * 60_000
  const { state } = found
  const preview = { uuid: context.newId(), wanted: textOf(wanted), actor: ownerOf(context), state, counts, expiresAt }
  return { token: sealPreview(context, { ...preview, ...moment }), expiresAt: new Date(expiresAt), counts }
}

/** Deletes the previewed data. If the token was used before, it deletes nothing and returns the first answer. */
export async function carryOutDeletion(
  context: DomainContext,
  actor: Reach,
  wanted: Wanted,
  token: string,
): Promise<Deletion> {
  const preview = openPreview(context, token, wanted)
  for (;;) {
    const deletion = await changeDomain(context, (sql) => removeNext({ sql, context, actor }, wanted, preview))
    if (deletion !== null) return deletion
  }
}

/**
 * Deletes a part, and writes into the history how much is deleted so far; null if more is left. If the server stops in
 * between, the same token continues, even after its time.
 */
async function removeNext(deleting: Deleting, wanted: Wanted, preview: Preview): Promise<Deletion | null> {
  const { sql, context } = deleting
  const { domain } = context
  const [known] = await fetchEntities(sql, domain.id, DELETION, [preview.uuid])
  if (known !== undefined && isWhole(known)) return known
  if (known === undefined && context.now().getTime() > preview.expiresAt) throw expired()
  const found = await find(deleting, wanted, preview)
  if (found.state !== preview.state) throw changed(known)
  const some = wanted.kind === 'DATAPOINTS' ? undefined : await THINGS[wanted.kind].removeSome?.(deleting, wanted)
  const { events, setpoints } = some ?? NOTHING
  const isPart = Math.max(events, setpoints) === MOST_AT_ONCE
  const before = known?.counts ?? NOTHING
  const part = { ...NOTHING, datapoints: 0, events: before.events + events, setpoints: before.setpoints + setpoints }
  const deletion = deletionOf(context, wanted, found, isPart ? { ...preview, counts: part } : preview)
  if (known !== undefined) await forgetDeletion(sql, domain.id, known.uuid)
  await insertEntities(sql, domain.id, DELETION, [deletion])
  if (isPart) return null
  if (wanted.kind === 'DATAPOINTS') await DATAPOINTS.remove(deleting, found, preview, preview.uuid)
  else await THINGS[wanted.kind].remove(deleting, found, preview, preview.uuid)
  return deletion
}

function find(deleting: Deleting, wanted: Wanted, moment: Moment | null): Promise<Found> {
  if (wanted.kind === 'DATAPOINTS') return DATAPOINTS.find(deleting, wanted, moment)
  return THINGS[wanted.kind].find(deleting, wanted, moment)
}

/** Tells whether a deletion in the history has ended. The system or component itself is deleted last. */
export function isWhole({ kind, counts }: Deletion): boolean {
  return (kind !== 'SYSTEM' || counts.systems > 0) && (kind !== 'COMPONENT' || counts.components > 0)
}

function deletionOf({ actorName, now }: DomainContext, { kind }: Wanted, found: Found, preview: Preview): Deletion {
  const { uuid, counts } = preview
  return { ...found.described, uuid, kind, counts, deletedBy: actorName, deletedAt: now() }
}

/**
 * Tells whether an actor may see the history of the domain. A device may not, because the history names all systems.
 */
export function seesDeletions({ systemUuid }: Reach): boolean {
  return systemUuid === null
}

/** Lists the deletions of the domain, the latest first. */
export function listDeletions(
  { database, domain, budget }: DomainContext,
  actor: Reach,
  { first, after, mostCounted }: PageRequest,
): Promise<Page<Deletion>> {
  const all = { matches: String(seesDeletions(actor)), values: [], units: undefined }
  return readDomain(database, domain.id, async (sql) => {
    const order = { first: first + 1, after, by: 'created_at', isDescending: true } as const
    // The names of series make a row long.
    budget?.check(await fetchPageBytes(sql, domain.id, DELETION, all, order))
    const found = await fetchEntityPage(sql, domain.id, DELETION, all, order)
    return pageOf(found, first, await countEntities(sql, domain.id, DELETION, all, mostCounted), budget)
  })
}

function tooMany(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    'too many previews of deletions of datapoints in this domain at once; try again in a moment',
  )
}

function expired(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    `this token has expired: it counts for ${TOKEN_MINUTES} minutes, and nothing was deleted; ask for a new deletionPreview`,
  )
}

/** `begun` is the part of the deletion that was made before. */
function changed(begun: Deletion | undefined): HoldfastError {
  const { events = 0, setpoints = 0 } = begun?.counts ?? {}
  const most = begun ? `only ${events} events and ${setpoints} setpoints were deleted before` : 'nothing was deleted'
  return new HoldfastError(
    'CONFLICT',
    `the data to delete has changed since the preview, or PostgreSQL was restarted, so ${most}; ask for a new deletionPreview`,
  )
}
