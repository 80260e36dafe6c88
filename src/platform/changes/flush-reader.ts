import { LRUCache } from 'lru-cache'
import { generationAt, type GeneratedColumns } from '../../datapoints/chunks/chunk.ts'
import { type Erased, indexesLeft } from '../../datapoints/chunks/erased.ts'
import {
  charactersOf,
  joinColumns,
  lowerBound,
  pickColumns,
  sliceColumns,
  type Columns,
} from '../../datapoints/chunks/point-columns.ts'
import type { Directory } from '../../datapoints/segments/directory.ts'
import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import { breather } from '../../db/breather.ts'
import type { Sql } from '../../db/sql.ts'
import { present } from '../../lib/present.ts'
import {
  fetchBlockSizeAfter,
  fetchChunkSizeAfter,
  fetchHotDirectories,
  fetchHotFlushes,
  readBlocksAfter,
  readChunksAfter,
  type FoldedSize,
} from '../../store/datapoints/points/changed-datapoints.ts'
import type { StoredSegment } from '../../store/datapoints/points/points.ts'
import { fetchErased } from '../../store/datapoints/erased-ranges.ts'
import { fetchKept } from '../../store/datapoints/retention.ts'
import {
  fetchIdsOfSeries,
  fetchReadableSeries,
  type SeriesFilter,
} from '../../store/datapoints/series/readable-series.ts'
import { fetchModelVersion } from '../../store/model/model-versions.ts'
import { decodeStored, decodeStoredDirectory } from '../datapoints/damaged-points.ts'
import { readableOf, type ReadableSeries } from '../datapoints/reading/series/readable-series.ts'
import { partsOf } from '../datapoints/reading/stored/segment-points.ts'
import { KeptTimes, type KeptTime } from '../datapoints/retention/kept-times.ts'
import { Retentions } from '../datapoints/retention/retentions.ts'

/** The points of one series in a flush, oldest first, each time once. */
interface SeriesRun {
  readonly series: ReadableSeries
  readonly columns: Columns
}

/** The points of one flush. */
export interface StoredFlush {
  readonly generation: number
  /** The runs by series. */
  readonly runs: readonly SeriesRun[]
  readonly count: number
}

const ALL = 2 ** 31 - 1

interface Run {
  readonly generation: number
  readonly seriesId: number
  readonly columns: Columns
}

/** Selects the flushes after a number, and their series. */
interface FoldedFlushes {
  readonly after: number
  readonly ids: readonly number[] | null
  isWanted(generation: number): boolean
}

interface KnownSeries {
  readonly series: ReadableSeries
  readonly kept: KeptTime
}

/** Reads flushes of one domain. It remembers the presentation of their series as long as the model does not change. */
export class FlushReader {
  readonly #domainId: number
  readonly #now: () => Date
  readonly #keptTimes = new KeptTimes()

  constructor(domainId: number, now: () => Date) {
    this.#domainId = domainId
    this.#now = now
  }

  idsOf(sql: Sql, filter: SeriesFilter): Promise<readonly number[]> {
    return fetchIdsOfSeries(sql, this.#domainId, filter)
  }

  async readHot(
    sql: Sql,
    generations: readonly number[],
    ids: readonly number[] | null,
  ): Promise<{ readonly flushes: readonly StoredFlush[]; readonly generations: ReadonlySet<number> }> {
    const segments = generations.length === 0 ? [] : await fetchHotFlushes(sql, this.#domainId, generations, ids)
    const wanted = ids === null ? undefined : new Set(ids)
    const runs = segments.flatMap((segment) => runsOfHot(segment, wanted))
    return { flushes: await this.#describe(sql, runs), generations: new Set(generations) }
  }

  async countHot(sql: Sql, generations: readonly number[], ids: readonly number[] | null): Promise<number> {
    const directories = await fetchHotDirectories(sql, this.#domainId, generations, ids)
    const wanted = ids === null ? null : new Set(ids)
    return directories.reduce(
      (sum, series) => sum + countOf(decodeStoredDirectory({ series }, 'that arrived'), wanted),
      0,
    )
  }

  /** Reads the selected flushes that are folded. Throws `tooLarge` if their points or texts exceed `most`. */
  async readFolded(sql: Sql, wanted: FoldedFlushes, most: FoldedSize, tooLarge: () => Error): Promise<StoredFlush[]> {
    const runs: Run[] = []
    let [points, bytes] = [0, 0]
    for await (const some of this.#foldedRuns(sql, wanted))
      for (const run of some) {
        points += run.columns.at.length
        // Packed texts can be hundreds of times smaller, so the unpacked texts are measured.
        bytes += charactersOf(run.columns.values)
        if (points > most.points || bytes > most.bytes) throw tooLarge()
        runs.push(run)
      }
    return this.#describe(sql, runs)
  }

  async foldedGenerations(sql: Sql, wanted: FoldedFlushes): Promise<number[]> {
    const found = new Set<number>()
    for await (const runs of this.#foldedRuns(sql, wanted)) for (const { generation } of runs) found.add(generation)
    return [...found]
  }

  async *#foldedRuns(sql: Sql, { after, isWanted, ids }: FoldedFlushes): AsyncGenerator<readonly Run[]> {
    const wanted = ids === null ? undefined : new Set(ids)
    const breathe = breather()
    for await (const chunks of readChunksAfter(sql, this.#domainId, after, ids))
      for (const { seriesId, kind, points } of chunks) {
        await breathe()
        yield runsOfPoints(seriesId, decodeStored({ seriesId }, points, kind), isWanted)
      }
    for await (const segments of readBlocksAfter(sql, this.#domainId, after, ids))
      for (const segment of segments) {
        await breathe()
        for (const { seriesId, points } of partsOf(segment, wanted)) yield runsOfPoints(seriesId, points, isWanted)
      }
  }

  /** The stored size of everything that must be read for these flushes. */
  async sizeOfFolded(sql: Sql, { after, ids }: FoldedFlushes): Promise<FoldedSize> {
    const inChunks = await fetchChunkSizeAfter(sql, this.#domainId, after, ids)
    const inBlocks = await fetchBlockSizeAfter(sql, this.#domainId, after, ids)
    return { points: inChunks.points + inBlocks.points, bytes: inChunks.bytes + inBlocks.bytes }
  }

  /** Leaves out deleted and expired points, and points that cannot be read because their characteristic has changed. */
  async #describe(sql: Sql, runs: readonly Run[]): Promise<StoredFlush[]> {
    if (runs.length === 0) return []
    const ids = new Set(runs.map(({ seriesId }) => seriesId))
    const known = await this.#getToKnow(sql, ids)
    // Not remembered: upkeep removes ranges with their points, and an older snapshot still has both.
    const erased = await fetchErased(sql, this.#domainId, [...ids])
    this.#keptTimes.moveTo(microsecondsOf(this.#now()))
    return [...Map.groupBy(runs, ({ generation }) => generation)].map(([generation, own]) => {
      const shown = [...Map.groupBy(own, ({ seriesId }) => seriesId)]
        .sort(([a], [b]) => a - b)
        .flatMap(([seriesId, parts]) => {
          const one = known.get(seriesId) ?? null
          const columns = one && keptOf(leftOf(joinRuns(parts), generation, erased.get(seriesId)), one.kept)
          return one && columns ? [{ series: one.series, columns }] : []
        })
      return { generation, runs: shown, count: shown.reduce((sum, { columns }) => sum + columns.at.length, 0) }
    })
  }

  /**
   * The presentation of these series; null for a series that cannot be read. Several readers may ask at once, and a
   * look-up may fail, so nothing is remembered before the answer arrives.
   */
  async #getToKnow(sql: Sql, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, KnownSeries | null>> {
    const version = await fetchModelVersion(sql, this.#domainId)
    const last = knownSeries.get(this)
    const known = last?.version === version ? last.series : new Map<number, KnownSeries | null>()
    const unknown = [...ids].filter((id) => !known.has(id))
    if (unknown.length === 0) return known
    const stored = await fetchReadableSeries(sql, this.#domainId, { ids: unknown }, ALL)
    const readable = await readableOf(sql, this.#domainId, stored)
    // A change of the retention is a change of the model.
    const retentions = new Retentions(await fetchKept(sql, this.#domainId))
    for (const id of unknown) known.set(id, null)
    for (const series of readable) {
      const kept = this.#keptTimes.of(retentions.keepOf(series.characteristicUuid))
      known.set(series.id, { series, kept })
    }
    knownSeries.set(this, { version, series: known }, { size: known.size })
    return known
  }
}

interface SeriesOfReader {
  readonly version: number
  readonly series: Map<number, KnownSeries | null>
}

/** The most series of all readers. Each takes half a kilobyte. Those of the readers that read longest ago are forgotten. */
const MOST_KNOWN = 200_000
const knownSeries = new LRUCache<FlushReader, SeriesOfReader>({ maxSize: MOST_KNOWN })

/** Joins the parts of one series in one flush. A long run is stored in several parts. */
function joinRuns(parts: readonly Run[]): Columns {
  const columns = parts.map((part) => part.columns)
  return present(joinColumns(columns.sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0))))
}

function leftOf(columns: Columns, generation: number, erased: Erased): Columns {
  const left = indexesLeft({ at: columns.at, generation }, erased)
  return left === null ? columns : pickColumns(columns, left)
}

/** The points within the retention, whether or not older ones are already deleted; null if there are none. */
function keptOf(columns: Columns, kept: KeptTime): Columns | null {
  const start = lowerBound(columns.at, kept.earliest)
  if (start === columns.at.length) return null
  return start === 0 ? columns : sliceColumns(columns, start, columns.at.length)
}

function runsOfHot(segment: StoredSegment, wanted: ReadonlySet<number> | undefined): Run[] {
  const generation = present(segment.generation ?? undefined)
  return partsOf(segment, wanted).map(({ seriesId, points }) => ({ generation, seriesId, columns: points }))
}

function countOf({ series, counts }: Directory, wanted: ReadonlySet<number> | null): number {
  return counts.reduce((sum, count, run) => (wanted?.has(series[run] ?? 0) === false ? sum : sum + count), 0)
}

function runsOfPoints(seriesId: number, chunk: GeneratedColumns, isWanted: (generation: number) => boolean): Run[] {
  if (typeof chunk.generation === 'number') {
    const { generation } = chunk
    return isWanted(generation) ? [{ generation, seriesId, columns: chunk }] : []
  }
  const indexes = new Map<number, number[] | null>()
  for (let index = 0; index < chunk.at.length; index++) {
    const generation = generationAt(chunk, index)
    const own = indexes.get(generation)
    if (own === undefined) indexes.set(generation, isWanted(generation) ? [index] : null)
    else own?.push(index)
  }
  return [...indexes].flatMap(([generation, own]) =>
    own === null ? [] : [{ generation, seriesId, columns: pickColumns(chunk, Uint32Array.from(own)) }],
  )
}
