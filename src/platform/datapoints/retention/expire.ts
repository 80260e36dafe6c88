import type { Database, Sql } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import {
  fetchHotDirectoriesOf,
  fetchLastingDirectoriesOf,
  fetchLostBefore,
  fetchLostSeriesAfter,
  fetchWithChunks,
  forgetLostSeries,
} from '../../../store/datapoints/series/lost-series.ts'
import { dropEmptyPartition, listChunkPartitions } from '../../../store/datapoints/packed/partitions.ts'
import { monthOf } from '../../../datapoints/chunks/chunk-partition.ts'
import { lookAtHotPoints, preferOrderOfIndex } from '../../../store/datapoints/points/points.ts'
import { listDomainsIn, type TableOfDomains } from '../../../store/across-domains.ts'
import { readDomain, writeData } from '../../../store/domains.ts'
import { inEachDomain } from '../../../store/nodes-of-domains.ts'
import {
  fetchKept,
  fetchSeriesAfter,
  type SeriesLimit,
  type SeriesOfCharacteristic,
  deleteExpired,
  findFirstExpired,
} from '../../../store/datapoints/retention.ts'
import { decodeStoredDirectory } from '../damaged-points.ts'
import { expireRefused } from '../refused/refused-datapoints.ts'
import { dropLostFromBlocks, expireBlocks } from './expire-blocks.ts'
import { Retentions } from './retentions.ts'

/** The number of series that are handled together. */
const SERIES_OF_STEP = 500
/** After this time, all points that were checked before the deletion of their series have been written. */
const FORGET_AFTER_SECONDS = 3_600
/** The number of lost series that are deleted together. */
const FORGOTTEN_AT_ONCE = 10_000
const FOREVER = Number.MAX_SAFE_INTEGER

/**
 * Deletes expired points, one domain after the other, in steps that block nobody. Several processes may do so at once.
 * Readers never see these points, so the time of deletion does not matter to them. If one domain fails, the others
 * continue. `failed` gets its errors when its steps have ended; without it, all errors are thrown at the end.
 */
export async function expireDatapoints(
  database: Database,
  now: number,
  signal?: AbortSignal,
  failed?: (error: unknown) => void,
): Promise<void> {
  const attempts = new Attempts(failed)
  const inDomainsWith = async (table: TableOfDomains, work: (domainId: number) => Promise<void>): Promise<void> => {
    const domainIds = (await attempts.make(() => listDomainsIn(database, table))) ?? []
    await inEachDomain(database, domainIds, attempts, async (id) => (signal?.aborted === true ? undefined : work(id)))
  }
  await inDomainsWith('retentions', (id) => expireDomain(database, id, now, signal))
  await inDomainsWith('refused_datapoints', (id) => expireRefused(database, id, now))
  await inDomainsWith('lost_series', (id) => sweepLostSeries(database, id, signal))
  await inDomainsWith('lost_series', (id) => forgetWhatIsGone(database, id, signal))
  await attempts.make(() => dropEmptyPartitions(database, now))
  attempts.end()
}

async function expireDomain(
  database: Database,
  domainId: number,
  now: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const retentions = new Retentions(await readDomain(database, domainId, (sql) => fetchKept(sql, domainId)))
  if (retentions.isEndless) return
  const attempts = new Attempts()
  await attempts.make(() => expireBlocks(database, domainId, now, signal))
  await attempts.make(() => expireChunks(database, domainId, now, signal))
  attempts.end()
}

async function expireChunks(
  database: Database,
  domainId: number,
  now: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pages = seriesPages((after) =>
    readInOrder(database, domainId, (sql) => fetchSeriesAfter(sql, domainId, after, SERIES_OF_STEP)),
  )
  for await (const page of pages) {
    if (signal?.aborted === true) return
    await deleteChunks(database, domainId, limitsOf(domainId, page, now), signal)
  }
}

/** Makes the planner read a page of series. Without statistics, it would read all series that follow. */
function readInOrder<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  return readDomain(database, domainId, async (sql) => {
    await preferOrderOfIndex(sql)
    return work(sql)
  })
}

/** The limits of the retention at the time of the call. */
function limitsOf(
  domainId: number,
  page: readonly SeriesOfCharacteristic[],
  now: number,
): (sql: Sql) => Promise<SeriesLimit[]> {
  return async (sql) => {
    const current = new Retentions(await fetchKept(sql, domainId))
    return page
      .map(({ seriesId, characteristicUuid }) => ({ seriesId, before: current.earliestOf(characteristicUuid, now) }))
      .filter(({ before }) => before > 0)
  }
}

async function sweepLostSeries(database: Database, domainId: number, signal: AbortSignal | undefined): Promise<void> {
  const pages = seriesPages(async (after) => {
    const ids = await readInOrder(database, domainId, (sql) =>
      fetchLostSeriesAfter(sql, domainId, after, SERIES_OF_STEP),
    )
    return ids.map((seriesId) => ({ seriesId }))
  })
  const attempts = new Attempts()
  for await (const page of pages) {
    if (signal?.aborted === true) break
    const limits = page.map(({ seriesId }) => ({ seriesId, before: FOREVER }))
    await attempts.make(() => deleteChunks(database, domainId, () => Promise.resolve(limits), signal))
    const lost = page.map(({ seriesId }) => seriesId)
    await attempts.make(() => dropLostFromBlocks(database, domainId, lost, signal))
  }
  attempts.end()
}

/**
 * Deletes the lost series of a domain without stored points, if no chunk of theirs can come any more. All points accepted before
 * the loss have long been written and folded by then, and blocks leave out points of missing series. It does not use
 * the role of a domain, which would not see these points.
 */
async function forgetWhatIsGone(database: Database, domainId: number, signal: AbortSignal | undefined): Promise<void> {
  const attempts = new Attempts()
  let after: number | undefined = 0
  while (after !== undefined) {
    if (signal?.aborted === true) break
    after = await forgetSome(database, domainId, after, attempts)
  }
  attempts.end()
}

/**
 * Deletes some of the lost series after a given one, and returns the last series that it checked. Points move from hot
 * segments to lasting rows, and from there to chunks. The check reads them in this order, so it misses none. Folding
 * waits only for the check of hot segments.
 */
function forgetSome(
  database: Database,
  domainId: number,
  after: number,
  attempts: Attempts,
): Promise<number | undefined> {
  return database.transaction(async (sql) => {
    const lost = await fetchLostBefore(sql, domainId, FORGET_AFTER_SECONDS, after, FORGOTTEN_AT_ONCE)
    if (lost.length === 0) return undefined
    const hot = await lookAtHotPoints(sql, (held) => fetchHotDirectoriesOf(held, domainId, lost))
    const lasting = await fetchLastingDirectoriesOf(sql, domainId, lost)
    const stored = new Set(await fetchWithChunks(sql, domainId, lost))
    let areAllKnown = true
    for (const { series } of [...hot, ...lasting]) {
      const decoded = await attempts.make(async () => decodeStoredDirectory({ series }, `of the domain ${domainId}`))
      // Any series may be in a damaged directory.
      areAllKnown &&= decoded !== null
      for (const seriesId of decoded?.series ?? []) stored.add(seriesId)
    }
    if (areAllKnown)
      await forgetLostSeries(
        sql,
        domainId,
        lost.filter((seriesId) => !stored.has(seriesId)),
      )
    return lost.at(-1)
  })
}

/** Drops partitions in which no domain has points. The present partition stays, because new points go into it. */
async function dropEmptyPartitions(database: Database, now: number): Promise<void> {
  const partitions = await database.read(listChunkPartitions)
  for (const one of partitions) if (one.next <= monthOf(now)) await dropEmptyPartition(database, one)
}

/** Reads series page by page, in the order of their numbers. */
async function* seriesPages<Item extends { readonly seriesId: number }>(
  fetchAfter: (seriesId: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let after = 0; ;) {
    const page = await fetchAfter(after)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.seriesId
  }
}

/**
 * The maximum number of chunks of a step. A step takes some hundredths of a second, so that nobody waits longer for the
 * domain's lock or for the only connection.
 */
const CHUNKS_OF_STEP = 1_000

/**
 * Deletes expired chunks of some series step by step, one month after the other. Each step reads the limits again under
 * the domain's lock, so that no points are deleted after the retention was extended.
 */
async function deleteChunks(
  database: Database,
  domainId: number,
  fetchLimits: (sql: Sql) => Promise<readonly SeriesLimit[]>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return
    const deleted = await writeData(database, domainId, async (sql) => {
      await preferOrderOfIndex(sql)
      const limits = await fetchLimits(sql)
      if (limits.length === 0) return 0
      const first = await findFirstExpired(sql, domainId, limits)
      return first === undefined ? 0 : deleteExpired(sql, domainId, limits, monthOf(first), CHUNKS_OF_STEP)
    })
    if (deleted === 0) return
  }
}
