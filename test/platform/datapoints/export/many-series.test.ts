import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { exportCsv } from '../../../../src/platform/datapoints/export/export-csv.ts'
import { exportPoints, withPoints } from '../../../../src/platform/datapoints/export/export-points.ts'
import { Exports } from '../../../../src/platform/datapoints/export/exports.ts'
import { lookUpAll } from '../../../../src/platform/datapoints/reading/series/find-series.ts'
import { referenceOf } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import type { SeriesReference } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import { readTogether, type TogetherSource } from '../../../../src/platform/datapoints/reading/stored/read-together.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { DATABASES } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { makeSite } from '../../../support/site.ts'

const NOON = Date.UTC(2026, 2, 1, 12)
const ALL = { from: 0, to: 2 ** 52 }
const ANYBODY = { systemUuid: null, units: null }
const SERIES = 1_000
const CODES = ['temperature', 'count'] as const

describe.each(DATABASES)('a file of a thousand series on $name', ({ openMigrated }) => {
  it('takes a few statements, and has all points of each series in their order', async () => {
    const database = countingDatabase(await openMigrated())
    const context = await makeDomain(database)
    const site = await makeSite(context, SERIES / CODES.length)
    const datapoints = new Datapoints({ ...context, isAlone: true, limits: { leastOfChunk: 2 } })
    const who = { domainId: context.domain.id, actor: 'tester', ...ANYBODY }
    const expected: string[] = []
    for (const round of [0, 1, 2, 3]) {
      const points = CODES.flatMap((code) =>
        site.componentUuids.map((uuid, index) => {
          expected.push(`${uuid} ${new Date(NOON + round * 1_000).toISOString()} ${index + round}`)
          return site.point(code, index + round, NOON + round * 1_000, index)
        }),
      )
      expect(await datapoints.ingest.add(who, points)).toMatchObject({ stored: SERIES })
      // Some are in chunks or blocks, and some are still hot.
      if (round === 0) await datapoints.compactor.compact()
      if (round === 1) await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    }
    const before = database.statements.length
    const file = new Exports(database).open(
      {
        domainId: context.domain.id,
        account: 'tester',
        units: null,
        to: ALL.to,
        async find(sql) {
          const found = withPoints(await lookUpAll(sql, context, ANYBODY, {}))
          return { found, series: found.map(referenceOf) }
        },
      },
      (reader, found) => exportCsv(exportPoints(reader, found, ALL), { guardFormulas: false }),
    )
    const lines = (await text(file)).trimEnd().split('\r\n').slice(1)
    const statements = database.statements.length - before
    await datapoints.close()
    await database.close()
    const shown = lines.map((line) => {
      const cells = line.split(',')
      return {
        series: cells.slice(1, 5).join(),
        text: [cells[2], new Date(cells[0] ?? '').toISOString(), cells[5]].join(' '),
      }
    })
    expect(shown.map((one) => one.text).toSorted()).toStrictEqual(expected.toSorted())
    const begins = shown.filter(({ series }, index) => series !== shown[index - 1]?.series)
    expect(begins).toHaveLength(SERIES)
    expect(statements).toBeLessThanOrEqual(15)
  })
})

describe('series that are read together', () => {
  interface Stored {
    readonly points?: number
    readonly chunks?: number
    readonly characters?: number
    readonly blockBytes?: number
    readonly kind?: SeriesReference['kind']
  }

  /** The series of each statement, of which each has a block of its own. */
  async function groupsOf(stored: readonly Stored[]): Promise<readonly (readonly number[])[]> {
    const groups: number[][] = []
    const none = { at: new Float64Array(), generation: 0, values: new Float64Array() }
    const source: TogetherSource = {
      starts: () => Promise.resolve([]),
      points(series) {
        groups.push([series.seriesId >> 8])
        return Promise.resolve(none)
      },
      sizes: () =>
        Promise.resolve({
          chunks: stored.map(({ points = 0, chunks = 1, characters = 0 }, index) => {
            return { seriesId: index << 8, chunks, points, characters }
          }),
          blocks: stored.map(({ blockBytes = 0 }, block) => ({ block, rows: 1, bytes: blockBytes })),
        }),
      together(series) {
        groups.push(series.map(({ seriesId }) => seriesId >> 8))
        return Promise.resolve(new Map())
      },
    }
    const series = stored.map(({ kind = 'float' as const }, index) => ({ seriesId: index << 8, kind }))
    for await (const part of readTogether(source, series, { ...ALL, order: 'oldest first' })) expect(part).toBeNull()
    return groups
  }

  it.each<[string, Stored, number]>([
    ['have as many points as a slice', { points: 25_000 }, 4],
    ['have a slice of texts', { characters: 1_048_576, kind: 'text' }, 4],
    ['have four mebibytes of blocks', { blockBytes: 1_048_576 }, 4],
    ['have as many rows of blocks as texts allow', { kind: 'text' }, 4],
    ['are one by one where each is long', { points: 100_001 }, 1],
    ['are one by one where each has very many chunks', { points: 500, chunks: 500 }, 1],
    ['are a thousand', { points: 4, blockBytes: 1_000 }, 1_000],
  ])('%s', async (_, each, together) => {
    const groups = await groupsOf(Array.from({ length: 2 * together }, () => each))
    expect(groups.map((group) => group.length)).toStrictEqual([together, together])
    expect(groups.flat()).toStrictEqual(Array.from({ length: 2 * together }, (__, index) => index))
  })
})
