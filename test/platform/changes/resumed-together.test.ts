import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { DatapointSource } from '../../../src/platform/changes/datapoint-source.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite } from '../../support/site.ts'

// Several subscriptions that resume at once share what their process knows of series.

const FLUSHES = 20

let postgres: PostgresDatabase
let database: Database
let context: DomainContext
let datapoints: Datapoints

beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  database = await openPostgres(postgres.url, { maxConnections: 8 })
  context = await makeDomain(database)
  const site = await makeSite(context)
  datapoints = new Datapoints({ ...context, isAlone: true })
  const by = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  for (let flush = 0; flush < FLUSHES; flush += 1) {
    const at = 1_760_000_000_000 + flush
    await datapoints.ingest.add(by, [site.point('temperature', flush, at), site.point('count', flush, at)])
  }
})
afterAll(async () => {
  await datapoints.close()
  await database.close()
  await postgres.drop()
})

/** The points of all flushes, as one subscription gets them that resumes at the beginning. */
async function pointsOf(source: DatapointSource): Promise<number> {
  const flushes = await source.between(new SeenFlushes(0), new SeenFlushes(FLUSHES), {})
  return flushes.reduce((sum, { count }) => sum + count, 0)
}

/** At the end of all flushes, which is where sources begin. */
async function open(on: Database): Promise<DatapointSource> {
  const source = new DatapointSource(on, context.domain.id, context.now)
  await source.poll(new SeenFlushes(FLUSHES), {
    settled: FLUSHES,
    drawn: FLUSHES,
    outbox: [],
    folds: '',
    identity: '',
  })
  return source
}

it.each(['hot', 'in blocks'])('all that resume at once get every point that is %s', async (where) => {
  if (where === 'in blocks') await datapoints.compactor.compact()
  const source = await open(database)
  const all = await Promise.all([1, 2, 3, 4].map(() => pointsOf(source)))
  expect(all).toStrictEqual([40, 40, 40, 40])
})

it('a look-up that failed hides no series from those that come later', async () => {
  let fails = true
  const broken = countingDatabase(database, ({ text }) => {
    if (fails && /from series\b/.test(text)) throw new Error('the connection was lost')
  })
  const source = await open(broken)
  await expect(pointsOf(source)).rejects.toThrow('the connection was lost')
  fails = false
  expect(await pointsOf(source)).toBe(40)
})
