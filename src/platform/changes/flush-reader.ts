import { decodeChunk, generationAt } from '../../datapoints/chunks/chunk.ts'
import { pickColumns, type Columns } from '../../datapoints/chunks/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { present } from '../../lib/present.ts'
import {
  countChunkPointsAfter,
  countHotPointsOf,
  fetchChunksAfter,
  fetchHotFlushes,
  type FlushedChunk,
} from '../../store/datapoints/changed-datapoints.ts'
import type { HotPoint } from '../../store/datapoints/points.ts'
import { fetchReadableSeries, type SeriesFilter } from '../../store/datapoints/readable-series.ts'
import { fetchModelVersion } from '../../store/domains.ts'
import { readableOf, type ReadableSeries } from '../datapoints/reading/find-series.ts'
import { hotColumns } from '../datapoints/reading/read-points.ts'

/** The points of one series in a flush, each time once, oldest first. */
export interface SeriesRun {
  readonly series: ReadableSeries
  readonly columns: Columns
}

/** What was stored together. */
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
  columns(series: ReadableSeries): Columns
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
    const points = generations.length === 0 ? [] : await fetchHotFlushes(sql, this.#domainId, generations, ids)
    return { flushes: await this.#describe(sql, runsOfHot(points)), generations: new Set(generations) }
  }

  countHot(sql: Sql, generations: readonly number[], ids: readonly number[] | null): Promise<number> {
    return countHotPointsOf(sql, this.#domainId, generations, ids)
  }

  async readChunks(
    sql: Sql,
    after: number,
    isWanted: (generation: number) => boolean,
    ids: readonly number[] | null,
  ): Promise<readonly StoredFlush[]> {
    const chunks = await fetchChunksAfter(sql, this.#domainId, after, ids)
    return this.#describe(
      sql,
      chunks.flatMap((chunk) => runsOfChunk(chunk, isWanted)),
    )
  }

  async refuseTooMany(sql: Sql, after: number, ids: readonly number[] | null, most: number): Promise<void> {
    const points = await countChunkPointsAfter(sql, this.#domainId, after, ids)
    if (points <= most) return
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      'this cursor is too old: too much was stored since; read it with datapoints, and subscribe without it',
    )
  }

  /** Leaves out points that cannot be read because their characteristic has changed, as everywhere. */
  async #describe(sql: Sql, runs: readonly Run[]): Promise<StoredFlush[]> {
    if (runs.length === 0) return []
    await this.#getToKnow(sql, new Set(runs.map(({ seriesId }) => seriesId)))
    return [...Map.groupBy(runs, ({ generation }) => generation)].map(([generation, own]) => {
      const shown = own
        .flatMap(({ seriesId, columns }) => {
          const series = this.#known.get(seriesId) ?? null
          return series === null ? [] : [{ series, columns: columns(series) }]
        })
        .sort((a, b) => (a.series.id ?? 0) - (b.series.id ?? 0))
      return { generation, runs: shown, count: shown.reduce((sum, { columns }) => sum + columns.at.length, 0) }
    })
  }

  async #getToKnow(sql: Sql, ids: ReadonlySet<number>): Promise<void> {
    const version = await fetchModelVersion(sql, this.#domainId)
    if (version !== this.#version) this.#known = new Map()
    this.#version = version
    const unknown = [...ids].filter((id) => !this.#known.has(id))
    if (unknown.length === 0) return
    for (const id of unknown) this.#known.set(id, null)
    const found = await fetchReadableSeries(sql, this.#domainId, { ids: unknown }, ALL)
    for (const series of await readableOf(sql, this.#domainId, found)) this.#known.set(series.id ?? 0, series)
  }
}

function runsOfHot(points: readonly HotPoint[]): Run[] {
  const runs: Run[] = []
  for (let start = 0, end = 0; start < points.length; start = end) {
    const first = present(points[start])
    const { generation, seriesId } = first
    while (points[end]?.generation === generation && points[end]?.seriesId === seriesId) end++
    const part = points.slice(start, end)
    // Within one flush, the last point of a time counts.
    const last = part.filter(({ at }, index) => part[index + 1]?.at !== at)
    runs.push({ generation, seriesId, columns: ({ kind }) => hotColumns(last, kind) })
  }
  return runs
}

function runsOfChunk({ seriesId, kind, points }: FlushedChunk, isWanted: (generation: number) => boolean): Run[] {
  const chunk = decodeChunk(points, kind)
  if (typeof chunk.generation === 'number') {
    const { generation } = chunk
    return isWanted(generation) ? [{ generation, seriesId, columns: () => chunk }] : []
  }
  const indexes = new Map<number, number[] | null>()
  for (let index = 0; index < chunk.at.length; index++) {
    const generation = generationAt(chunk, index)
    const own = indexes.get(generation)
    if (own === undefined) indexes.set(generation, isWanted(generation) ? [index] : null)
    else own?.push(index)
  }
  return [...indexes].flatMap(([generation, own]) =>
    own === null ? [] : [{ generation, seriesId, columns: () => pickColumns(chunk, Uint32Array.from(own)) }],
  )
}
