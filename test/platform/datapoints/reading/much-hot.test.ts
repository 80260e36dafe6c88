import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { readDatapoints, readLatest } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery } from '../../../../src/platform/datapoints/reading/reading-query.ts'
import { storedPointReader } from '../../../../src/platform/datapoints/reading/stored/stored-point-reader.ts'
import { setRetention } from '../../../../src/platform/datapoints/retention/set-retention.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { EVERYWHERE } from '../../../../src/platform/systems/reach.ts'
import { ANY_DATABASE } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { makeSite, type Site } from '../../../support/site.ts'

// More bytes have just arrived than a server has room for: numbers, of several servers, as well as texts.

let database: Database
let context: DomainContext
let site: Site
let datapoints: Datapoints

beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  context = await makeDomain(database)
  site = await makeSite(context)
  datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: context.domain.id, actor: 'tester', ...EVERYWHERE }
  await datapoints.ingest.add(who, [site.point('temperature', 1, 1_760_000_000_000)])
  await database.statement(`update datapoints_hot set points = decode(repeat('00', 134217729), 'hex')`)
})
afterAll(async () => {
  await database.statement('truncate datapoints_hot')
  await datapoints.close()
  await database.close()
})

const SERIES = { seriesId: 1, kind: 'float' } as const
const ALL = { from: 0, to: 2 ** 52 }

it.each<[string, () => Promise<unknown>]>([
  [
    'a page',
    () => {
      const [component = ''] = site.componentUuids
      const name = { component, service: 'room', characteristic: 'temperature' }
      return readDatapoints(context, EVERYWHERE, name, readingQuery({ first: 10 }, context.now()), context.now())
    },
  ],
  ['the last points', () => readLatest(context, EVERYWHERE, {})],
  [
    'a file in parts',
    async () => {
      const reader = storedPointReader(database, context.domain.id)
      for await (const part of reader.read([SERIES], { ...ALL, order: 'oldest first' })) return part
    },
  ],
  [
    'the last points for a file in parts',
    () => storedPointReader(database, context.domain.id).latest([SERIES], ALL.to),
  ],
  ['the cost of a retention', () => setRetention(context, { characteristic: null, keep: 'P1D', acknowledge: false })],
])('%s of numbers is refused before it is read', async (_, read) => {
  await expect(read()).rejects.toThrow(/bytes of these datapoints have just arrived/)
})
