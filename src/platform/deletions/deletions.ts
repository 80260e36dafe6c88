import type { DeletionCounts } from '../../../generated/entities.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { DELETION } from '../../records/entities.ts'
import { fenceFlushes } from '../../store/datapoints/arriving/writer-slots.ts'
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
import { rangeOf, type Deleting, type Deletion, type Found, type Moment, type Wanted } from './deletion-target.ts'

// A deletion has two steps (docs/decisions/0074). The preview counts, and its token holds the moment up to which everything
// is deleted. The deletion does exactly that, whatever arrived since.

export interface DeletionPreview {
  readonly token: string
  readonly expiresAt: Date
  readonly counts: DeletionCounts
}

/** Counts what a deletion deletes. Everything that is stored later stays. */
export async function previewDeletion(context: DomainContext, actor: Reach, wanted: Wanted): Promise<DeletionPreview> {
  const { database, domain } = context
  const { found, moment } = await changeDomain(context, async (sql) => {
    const here = await find({ sql, context, actor }, wanted, null)
    const through = here.needsFence ? await fenceFlushes(sql, domain.id) : Number.MAX_SAFE_INTEGER
    return { found: here, moment: { lastSeries: here.seriesIds.at(-1) ?? 0, through } }
  })
  const range = rangeOf(found.described, moment)
  const datapoints = await countErasable(database, domain.id, { seriesIds: found.seriesIds, range })
  await requireRightsStill(context)
  const counts = { ...found.counts, datapoints }
  const expiresAt = context.now().getTime() + TOKEN_MINUTES * 60_000
  const { state } = found
  const preview = { uuid: context.newId(), wanted: textOf(wanted), actor: ownerOf(context), state, counts, expiresAt }
  return { token: sealPreview(context, { ...preview, ...moment }), expiresAt: new Date(expiresAt), counts }
}

/** Deletes what was previewed. With the same token again, it deletes nothing and gives the first answer. */
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

/** Deletes a part; null if more is left. If the server stops in between, the same token continues. */
async function removeNext(deleting: Deleting, wanted: Wanted, preview: Preview): Promise<Deletion | null> {
  const { sql, context } = deleting
  const { domain } = context
  const [known] = await fetchEntities(sql, domain.id, DELETION, [preview.uuid])
  if (known !== undefined) return known
  if (context.now().getTime() > preview.expiresAt) throw expired()
  const found = await find(deleting, wanted, preview)
  if (found.state !== preview.state) throw changed()
  if (wanted.kind !== 'DATAPOINTS' && (await THINGS[wanted.kind].removeSome?.(deleting, wanted)) === true) return null
  const deletion = deletionOf(context, wanted, found, preview)
  await insertEntities(sql, domain.id, DELETION, [deletion])
  if (wanted.kind === 'DATAPOINTS') await DATAPOINTS.remove(deleting, found, preview, preview.uuid)
  else await THINGS[wanted.kind].remove(deleting, found, preview, preview.uuid)
  return deletion
}

function find(deleting: Deleting, wanted: Wanted, moment: Moment | null): Promise<Found> {
  if (wanted.kind === 'DATAPOINTS') return DATAPOINTS.find(deleting, wanted, moment)
  return THINGS[wanted.kind].find(deleting, wanted, moment)
}

function deletionOf({ actorName, now }: DomainContext, { kind }: Wanted, found: Found, preview: Preview): Deletion {
  const { uuid, counts } = preview
  return { ...found.described, uuid, kind, counts, deletedBy: actorName, deletedAt: now() }
}

/** Tells whether an actor may see the history of the domain. A device may not: it names all systems. */
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

function expired(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    `this token has expired: it counts for ${TOKEN_MINUTES} minutes, and nothing was deleted; ask for a new deletionPreview`,
  )
}

function changed(): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    'since the preview, something else would be deleted, or PostgreSQL was restarted, so nothing was deleted; ask for a new deletionPreview',
  )
}
