import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { readDatapoints, readLatest } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery, type ReadingArguments } from '../../../../src/platform/datapoints/reading/reading-query.ts'
import { listSystemSeries } from '../../../../src/platform/datapoints/reading/series/system-series.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { makeSite, type Site } from '../../../support/site.ts'
import { watchWays, type WatchedNetwork } from '../../../support/ways-to-database.ts'

// How often a question about datapoints waits for the database. Each time it waits behind all else that a busy server does.

const ANYBODY = { systemUuid: null, units: null }
const NOON = Date.UTC(2026, 2, 1, 12)

let place: PostgresDatabase
let network: WatchedNetwork
let database: Database
let datapoints: Datapoints
let site: Site
let context: DomainContext

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  network = await watchWays(place.url)
  database = await openPostgres(network.url, { maxConnections: 1 })
  context = await makeDomain(database)
  site = await makeSite(context)
  datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const send = (minute: number) =>
    datapoints.ingest.add(who, [site.point('temperature', 20 + minute, NOON + minute * 60_000)])
  for (let minute = 0; minute < 5; minute++) await send(minute)
  await datapoints.compactor.compact()
  await send(5)
})
afterAll(async () => {
  await datapoints.close()
  await database.close()
  await network.close()
  await place.drop()
})

/** The ways of one question; the last one is the end of the transaction, for which nobody waits. */
async function waysOf<T>(ask: () => Promise<T>): Promise<{ readonly answer: T; readonly ways: readonly string[][] }> {
  await ask()
  await expect.poll(() => database.load?.().used).toBe(0)
  network.taken()
  const answer = await ask()
  await expect.poll(() => database.load?.().used).toBe(0)
  const ways = network.taken()
  expect(ways.at(-1)).toStrictEqual(['COMMIT'])
  return { answer, ways: ways.slice(0, -1).map((way) => way.map(subjectOf)) }
}

/** What a statement is about, in a word or two. */
function subjectOf(text: string): string {
  const [, table = '', kind = ''] = /^select[\s\S]*?\bfrom (?:\(\s*select[\s\S]*?from )?(\w+)( \w+)?/.exec(text) ?? []
  return table === ''
    ? text
        .replace(/ = .*/s, '')
        .replace(/ISOLATION.*/s, '')
        .trim()
    : `${table}${kind}`
}

const AHEAD = [
  'BEGIN',
  'SET LOCAL holdfast.domain_id',
  'SET LOCAL holdfast.units',
  'SET LOCAL role',
  'SAVEPOINT locked',
  'lock table only datapoints_hot in access share mode',
  'SET LOCAL statement_timeout',
]
const HOT = ['records r', 'datapoints_hot h', 'unnest', 'rollback to savepoint locked', 'SET LOCAL enable_sort']

const read = async (args: ReadingArguments) => {
  const [component = ''] = site.componentUuids
  const name = { component, service: 'room', characteristic: 'temperature' }
  const range = { from: new Date(NOON).toISOString(), to: new Date(NOON + 3_600_000).toISOString() }
  const query = readingQuery({ ...range, ...args }, context.now())
  const { answer, ways } = await waysOf(() => readDatapoints(context, ANYBODY, name, query, context.now()))
  return { reading: answer.reading, ways: ways.length, first: ways.slice(0, 2) }
}

describe('ways to the database', () => {
  it('three for the last values of all series', async () => {
    const { answer, ways } = await waysOf(() => readLatest(context, ANYBODY, {}))
    expect(answer.map(({ point }) => point.value)).toStrictEqual([25])
    expect(ways).toStrictEqual([
      [...AHEAD, 'series s', 'retentions e', 'domains_of_buffers where'],
      [...HOT, 'unnest'],
      ['unnest', 'unnest'],
    ])
  })

  it('four for a page of one series', async () => {
    const { reading, ways, first } = await read({})
    expect(reading.form === 'page' && reading.points.map(({ value }) => value)).toStrictEqual([20, 21, 22, 23, 24, 25])
    expect(first).toStrictEqual([[...AHEAD, 'series s', 'retentions e', 'domains_of_buffers where'], HOT])
    expect(ways).toBe(4)
  })

  it('four for buckets', async () => {
    const { reading, ways } = await read({ interval: 'PT15M', aggregations: ['avg'] })
    expect(reading.form === 'buckets' && reading.buckets.map(({ cells }) => cells.avg)).toStrictEqual([22.5])
    expect(ways).toBe(4)
  })

  it('three for all that a system has', async () => {
    const system = site.systemUuid
    const { answer, ways } = await waysOf(() => listSystemSeries(context, ANYBODY, system))
    expect(answer.components.length).toBeGreaterThan(0)
    expect(ways.map((way) => way.length)).toStrictEqual([5, 3, 2])
  })
})
