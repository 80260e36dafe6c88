import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellAt } from '../../../../src/datapoints/chunks/point-columns.ts'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import { TEXT } from '../../../../src/db/columns.ts'
import type { Database, Sql } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { Exports, type ExportLimits } from '../../../../src/platform/datapoints/export/exports.ts'
import { exportCsv } from '../../../../src/platform/datapoints/export/export-csv.ts'
import { exportPoints, withPoints } from '../../../../src/platform/datapoints/export/export-points.ts'
import { lookUpAll } from '../../../../src/platform/datapoints/reading/series/find-series.ts'
import { findSeriesOf } from '../../../support/find-series.ts'
import { referenceOf, referencesOf } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import { readDatapoints, readLatest } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery } from '../../../../src/platform/datapoints/reading/reading-query.ts'
import { setRetention } from '../../../../src/platform/datapoints/retention/set-retention.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { alreadyNamed, readAtOneMoment } from '../../../../src/platform/datapoints/reading/stored/moment-reader.ts'
import { atOneMoment } from './at-one-moment.ts'
import type { PointReader, SeriesReference } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { createPostgresDatabase, ANY_DATABASE, type PostgresDatabase } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { makeSite, type Site } from '../../../support/site.ts'

const NOON = Date.UTC(2026, 2, 1, 12)
const ALL = { from: 0, to: 2 ** 52 }
const POINTS = 200
const ANYBODY = { systemUuid: null, units: null }
const SAFE = { guardFormulas: false }

interface Stored {
  readonly database: Database
  readonly context: DomainContext
  readonly site: Site
  readonly datapoints: Datapoints
  readonly series: SeriesReference
  /** Writes all points again, as `value`. */
  overwrite(value: number): Promise<void>
}

/** The writer may be another process. A series in many small chunks, and some of it in none. */
async function storeSome(database: Database, writer = database): Promise<Stored> {
  const context = await makeDomain(database)
  const site = await makeSite(context)
  const datapoints = new Datapoints({ ...context, database: writer, isAlone: true, limits: { leastOfChunk: 1 } })
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const points = (value: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => site.point('temperature', value, NOON + from + index))
  const overwrite = async (value: number) => {
    expect(await datapoints.ingest.add(who, points(value, 0, POINTS))).toMatchObject({ stored: POINTS })
  }
  for (let start = 0; start < POINTS; start += 10) {
    await datapoints.ingest.add(who, points(1, start, start + 10))
    if (start >= POINTS / 2) continue
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
  }
  const [found] = await findSeriesOf(context, { systemUuid: null, units: null }, {})
  if (found?.id == null) throw new Error('there is no series')
  return { database, context, site, datapoints, series: referenceOf({ ...found, id: found.id }), overwrite }
}

const TIMEOUT = { ms: TEXT }
const sleeping = (seconds: number) => async (sql: Sql) => {
  await sql.query(`select pg_sleep($1::float8)`, [seconds])
  return alreadyNamed({ found: sql, series: [] })
}
const timeoutIn = (sql: Sql) => sql.rows(TIMEOUT, `select current_setting('statement_timeout') as ms`)

describe('on PostgreSQL', () => {
  let place: PostgresDatabase
  let databases: readonly [Database, Database]
  let stored: Stored

  beforeAll(async () => {
    place = await createPostgresDatabase(MIGRATED_TEMPLATE)
    const open = () => openPostgres(place.url, { maxConnections: 4 })
    databases = [await open(), await open()]
    stored = await storeSome(...databases)
  })
  afterAll(async () => {
    await stored.datapoints.close()
    for (const database of databases) await database.close()
    await place.drop()
  })

  it('what is read in many slices is of one moment, and nobody waits for the reader', async () => {
    const { database, context, datapoints, series, overwrite } = stored
    const read = await atOneMoment(database, context.domain.id, [series], ALL.to, async (reader) => {
      const values: unknown[] = []
      let parts = 0
      for await (const { columns } of reader.read([series], { ...ALL, order: 'oldest first', limit: 10 })) {
        for (let index = 0; index < columns.at.length; index++) values.push(cellAt(columns.values, index))
        parts += 1
        if (parts > 3) continue
        await overwrite(parts + 1)
        await datapoints.compactor.compact()
        await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
        await datapoints.merger.sweep()
        while (await datapoints.merger.merge(Number.MAX_SAFE_INTEGER)) continue
      }
      const last = (await reader.latest([series], ALL.to)).get(series.seriesId)
      return { values, parts, last }
    })
    expect(read.parts).toBeGreaterThan(3)
    expect(read.values).toStrictEqual(Array.from({ length: POINTS }, () => 1))
    expect(read.last?.value).toBe(1)
    const now = await atOneMoment(database, context.domain.id, [series], ALL.to, (reader) =>
      reader.latest([series], ALL.to),
    )
    expect(now.get(series.seriesId)?.value).toBe(4)
  })

  it('a look-up that takes long is ended, and does not hold up folding; reading has its own time', async () => {
    const { context } = stored
    const read = (seconds: number) =>
      readAtOneMoment(databases[0], context.domain.id, { to: ALL.to }, sleeping(seconds), (_, sql) => timeoutIn(sql))
    await expect(read(30)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await read(0)).toStrictEqual([{ ms: '1min' }])
  })

  it('the series, how long it is kept and its points are of one moment, whatever changes between the statements', async () => {
    const { context, datapoints, site, overwrite } = stored
    const [component = ''] = site.componentUuids
    const elsewhere = { ...context, database: databases[1] }
    const setKeep = (keep: string | null) => setRetention(elsewhere, { characteristic: null, keep, acknowledge: true })
    /** Everything changes when the series was looked up, once. */
    const changing = (value: number): Database => {
      let isChanged = false
      return countingDatabase(databases[0], async (statement) => {
        if (isChanged || !statement.text.includes('from datapoints_hot')) return
        isChanged = true
        await overwrite(value)
        await setKeep('P1D')
      })
    }
    await overwrite(10)
    const name = { component, service: 'room', characteristic: 'temperature' }
    const query = readingQuery({}, context.now())
    const page = await readDatapoints({ ...context, database: changing(11) }, ANYBODY, name, query, context.now())
    expect(page.series.earliest).toBe(0)
    expect(page.reading.form === 'page' && page.reading.points.map(({ value }) => value)).toStrictEqual(
      Array.from({ length: POINTS }, () => 10),
    )
    await datapoints.compactor.compact()
    await setKeep(null)
    const [latest] = await readLatest({ ...context, database: changing(12) }, ANYBODY, {})
    expect(latest?.point.value).toBe(11)
    await setKeep(null)
    const find = async (sql: Sql) => {
      const found = await lookUpAll(sql, context, ANYBODY, {})
      return { found, series: referencesOf(found) }
    }
    const exports = new Exports(changing(13))
    const asked = { domainId: context.domain.id, account: 'a', units: null, find, to: ALL.to }
    const file = exports.open(asked, (reader, found) => exportCsv(exportPoints(reader, withPoints(found), ALL), SAFE))
    const lines = (await text(file)).trim().split('\r\n').slice(1)
    expect(new Set(lines.map((line) => line.split(',').at(-1)))).toStrictEqual(new Set(['12']))
    expect(lines).toHaveLength(POINTS)
    await setKeep(null)
    await overwrite(1)
  })

  /** One piece for each point. */
  async function* times(reader: PointReader): AsyncGenerator<Uint8Array> {
    for await (const { columns } of reader.read([stored.series], { ...ALL, order: 'oldest first' }))
      for (const at of columns.at) yield Uint8Array.of(at % 251)
  }

  function open(exports: Exports, account = 'a'): AsyncIterable<Uint8Array> {
    const { context, series } = stored
    return exports.open(
      {
        domainId: context.domain.id,
        account,
        units: null,
        find: async () => ({ found: null, series: [series] }),
        to: ALL.to,
      },
      times,
    )
  }

  function exportsWith(limits: Partial<ExportLimits> = {}): Exports {
    return new Exports(stored.database, limits)
  }

  it('an export is written while it is taken', async () => {
    expect(await buffer(open(exportsWith()))).toHaveLength(POINTS)
  })

  it('so many exports at once, and no more; one that is given up makes room', async () => {
    const exports = exportsWith({ atOnce: 2 })
    const [one, other] = [open(exports)[Symbol.asyncIterator](), open(exports)[Symbol.asyncIterator]()]
    await one.next()
    await other.next()
    expect(() => open(exports)).toThrow('2 files of datapoints are being written')
    await one.return?.()
    await other.return?.()
    await expect.poll(async () => (await buffer(open(exports))).length).toBe(POINTS)
  })

  it('one account does not take the places of all others', async () => {
    const exports = exportsWith()
    const taken = [open(exports)[Symbol.asyncIterator](), open(exports)[Symbol.asyncIterator]()]
    for (const one of taken) await one.next()
    expect(() => open(exports)).toThrow('2 files of datapoints are being written for this account')
    expect(await buffer(open(exports, 'b'))).toHaveLength(POINTS)
    for (const one of taken) await one.return?.()
  })

  it('a client that takes nothing is told so, and holds nothing any more', async () => {
    const exports = exportsWith({ atOnce: 1, stalledMs: 20 })
    const slow = open(exports)[Symbol.asyncIterator]()
    await slow.next()
    // Its place is free when it was given up.
    await expect.poll(() => tryToOpen(exports)).toBe(true)
    const rest = async () => {
      while ((await slow.next()).done !== true) continue
    }
    await expect(rest()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('one that takes too long as a whole ends, too', async () => {
    await expect(buffer(open(exportsWith({ longestMs: 0 })))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('what fails while it is written fails for whoever takes it', async () => {
    const broken = exportsWith().open(
      { domainId: 1, account: 'a', units: null, find: async () => ({ found: null, series: [] }), to: ALL.to },
      async function* () {
        yield Uint8Array.of(1)
        throw new Error('no more')
      },
    )
    await expect(buffer(broken)).rejects.toThrow('no more')
  })
})

function tryToOpen(exports: Exports): boolean {
  try {
    const opened = exports.open(
      { domainId: 1, account: 'a', units: null, find: async () => ({ found: null, series: [] }), to: ALL.to },
      async function* () {},
    )
    void buffer(opened).catch(() => undefined)
    return true
  } catch {
    return false
  }
}

it('on PGlite a slow client keeps nobody out', async () => {
  const database = await ANY_DATABASE.openMigrated()
  const { context, datapoints, series, overwrite } = await storeSome(database)
  const pieces = datapoints.exports.open(
    {
      domainId: context.domain.id,
      account: 'a',
      units: null,
      find: async () => ({ found: null, series: [series] }),
      to: ALL.to,
    },
    async function* (reader) {
      for await (const { columns } of reader.read([series], { ...ALL, order: 'oldest first', limit: 10 }))
        yield Uint8Array.from(columns.at, (at) => at % 251)
    },
  )
  let length = 0
  for await (const piece of pieces) {
    await overwrite(length)
    length += piece.length
  }
  expect(length).toBe(POINTS)
  await datapoints.close()
  await database.close()
})
