import { generationAt, type GeneratedColumns } from '../../datapoints/chunks/chunk.ts'
import { joinColumns, pickColumns, type Columns } from '../../datapoints/chunks/point-columns.ts'
import type { Directory } from '../../datapoints/segments/directory.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { present } from '../../lib/present.ts'
import {
  fetchBlocksAfter,
  fetchBlockSizeAfter,
  fetchChunksAfter,
  fetchChunkSizeAfter,
  fetchHotDirectories,
  fetchHotFlushes,
  type FoldedSize,
} from '../../store/datapoints/points/changed-datapoints.ts'
import type { StoredSegment } from '../../store/datapoints/points/points.ts'
import { fetchReadableSeries, type SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { fetchModelVersion } from '../../store/model/model-versions.ts'
import { decodeStored, decodeStoredDirectory } from '../datapoints/damaged-points.ts'
import { readableOf, type ReadableSeries } from '../datapoints/reading/series/readable-series.ts'
import { partsOf } from '../datapoints/reading/stored/segment-points.ts'

/** The points of one series in a flush, each time once, oldest first. */
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

/** Reads flushes of one domain. It remembers how their series are shown as long as the model does not change. */
export class FlushReader {
  readonly #domainId: number
  #known = new Map<number, ReadableSeries | null>()
  #version = -1

  constructor(domainId: number) {
    this.#domainId = domainId
  }

  async idsOf(sql: Sql, filter: SeriesFilter): Promise<readonly number[]> {
    return (await fetchReadableSeries(sql, this.#domainId, filter, ALL)).map(({ id }) => id)
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

  async readChunks(
    sql: Sql,
    after: number,
    isWanted: (generation: number) => boolean,
    ids: readonly number[] | null,
  ): Promise<readonly StoredFlush[]> {
    const chunks = await fetchChunksAfter(sql, this.#domainId, after, ids)
    const segments = await fetchBlocksAfter(sql, this.#domainId, after, ids)
    const wanted = ids === null ? undefined : new Set(ids)
    return this.#describe(sql, [
      ...chunks.flatMap(({ seriesId, kind, points }) =>
        runsOfPoints(seriesId, decodeStored({ seriesId }, points, kind), isWanted),
      ),
      ...segments.flatMap((segment) =>
        partsOf(segment, wanted).flatMap(({ seriesId, points }) => runsOfPoints(seriesId, points, isWanted)),
      ),
    ])
  }

  async refuseTooMuch(sql: Sql, after: number, ids: readonly number[] | null, most: FoldedSize): Promise<void> {
    const inChunks = await fetchChunkSizeAfter(sql, this.#domainId, after, ids)
    const inBlocks = await fetchBlockSizeAfter(sql, this.#domainId, after, ids)
    if (inChunks.points + inBlocks.points > most.points || inChunks.bytes + inBlocks.bytes > most.bytes) throw tooLong()
  }

  /** Leaves out points that cannot be read because their characteristic has changed, as everywhere. */
  async #describe(sql: Sql, runs: readonly Run[]): Promise<StoredFlush[]> {
    if (runs.length === 0) return []
    const known = await this.#getToKnow(sql, new Set(runs.map(({ seriesId }) => seriesId)))
    return [...Map.groupBy(runs, ({ generation }) => generation)].map(([generation, own]) => {
      const shown = [...Map.groupBy(own, ({ seriesId }) => seriesId)]
        .sort(([a], [b]) => a - b)
        .flatMap(([seriesId, parts]) => {
          const series = known.get(seriesId) ?? null
          return series === null ? [] : [{ series, columns: joinRuns(parts) }]
        })
      return { generation, runs: shown, count: shown.reduce((sum, { columns }) => sum + columns.at.length, 0) }
    })
  }

  /**
   * How these series are shown; null for one that cannot be read. Several readers may ask at once, and a look-up may fail,
   * so nothing is remembered before there is an answer.
   */
  async #getToKnow(sql: Sql, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, ReadableSeries | null>> {
    const version = await fetchModelVersion(sql, this.#domainId)
    if (version !== this.#version) this.#known = new Map()
    this.#version = version
    const known = this.#known
    const unknown = [...ids].filter((id) => !known.has(id))
    if (unknown.length === 0) return known
    const stored = await fetchReadableSeries(sql, this.#domainId, { ids: unknown }, ALL)
    const readable = new Map((await readableOf(sql, this.#domainId, stored)).map((series) => [series.id, series]))
    for (const id of unknown) known.set(id, readable.get(id) ?? null)
    return known
  }
}

/** The parts of one series in one flush, which is stored in several pieces where it is long. */
function joinRuns(parts: readonly Run[]): Columns {
  const columns = parts.map((part) => part.columns)
  return present(joinColumns(columns.sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0))))
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

function tooLong(): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    'this cursor is too old: too much was stored since; read it with datapoints, and subscribe without it',
  )
}
