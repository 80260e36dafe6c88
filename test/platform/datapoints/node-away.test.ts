import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { ASIDE, fetchBuffersOf } from '../../../src/store/datapoints/arriving/domains-of-buffers.ts'
import { listDomainsOfBuffer } from '../../../src/store/datapoints/arriving/rows-aside.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { historyOf } from './history.ts'

// One PostgreSQL plays a cluster in which each domain lies on a node of its own. The node of one domain is away: statements
// with its rows fail as on Citus.

const NOON = 1_760_000_000_000

/** The tables in which Citus names the node of each domain, and a node that is away. */
const CLUSTER = `
  create table pg_dist_placement (shardid bigint, groupid integer);
  insert into pg_dist_placement select id, id from domains;
  create function get_shard_id_for_distribution_column(text, bigint) returns bigint language sql as 'select $2';
  create table away (domain_id bigint);
  create function refuse() returns trigger language plpgsql as
    $$ begin
      if exists (select from away a where a.domain_id = new.domain_id) then
        raise exception 'connection to the remote node failed' using errcode = '08006';
      end if;
      return new;
    end $$;
  create trigger refuse before insert on datapoint_blocks for each row execute function refuse();`

interface SiteOfDomain {
  readonly context: DomainContext
  readonly site: Site
}

let database: Database
let drop: () => Promise<void>
let sites: readonly [SiteOfDomain, SiteOfDomain]
let away: number | null = null
/** Statements wait for this before they fail, as for a node without power. */
let silence: Promise<void> | null = null

const listDomainsAside = () => listDomainsOfBuffer(database, ASIDE)

async function refuseAway({
  text,
  values,
}: {
  readonly text: string
  readonly values: readonly unknown[]
}): Promise<void> {
  const isFlush = text.includes('store_flush') && String(values[1]).split(',').includes(String(away))
  if (!isFlush && !(text.startsWith('select 1 as one from domain_state') && values[0] === away)) return
  await silence
  if (away !== null) throw Object.assign(new Error('connection to the remote node failed'), { code: '08006' })
}

beforeAll(async () => {
  const made = await createPostgresDatabase(MIGRATED_TEMPLATE)
  drop = made.drop
  database = await openPostgres(made.url, { maxConnections: 10 })
  const siteOf = async (slug: string): Promise<SiteOfDomain> => {
    const context = await makeDomain(database, slug)
    return { context, site: await makeSite(context) }
  }
  sites = [await siteOf('here'), await siteOf('there')]
  await database.script(CLUSTER)
})
afterAll(async () => {
  await database.close()
  await drop()
})

async function setAway(domainId: number | null): Promise<void> {
  away = domainId
  await database.script(`delete from away; ${domainId === null ? '' : `insert into away values (${domainId})`}`)
}

function serve(longestLockMs: number, known: Partial<Database> = {}): Datapoints {
  const counting = { ...countingDatabase(database, refuseAway), ...known }
  return new Datapoints({ ...sites[0].context, database: counting, isAlone: false, limits: { longestLockMs } })
}

function send(datapoints: Datapoints, { context, site }: SiteOfDomain, value: number) {
  const sender = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  return datapoints.ingest.add(sender, [site.point('count', value, NOON + value)])
}

const counts = async ({ context }: SiteOfDomain) =>
  ((await historyOf(context))['Sensor 0 count'] ?? []).map(([, value]) => Number(value))

it('a node that is away stops only its domains, whose points are stored when it is back', async () => {
  const [here, there] = sites
  const datapoints = serve(10_000)
  await Promise.all([send(datapoints, here, 1), send(datapoints, there, 1)])
  await setAway(there.context.domain.id)
  const order: string[] = []
  const waiting = send(datapoints, there, 2).finally(() => order.push('there'))
  await send(datapoints, here, 2).finally(() => order.push('here'))
  expect(order).toStrictEqual(['here'])
  await setAway(null)
  expect(await waiting).toMatchObject({ stored: 1 })
  expect([await counts(here), await counts(there)]).toStrictEqual([
    [1, 2],
    [1, 2],
  ])
  await datapoints.close()
})

it('no flush waits for a node that is known to be away, even if the node refuses nothing', async () => {
  const [here, there] = sites
  const datapoints = serve(10_000)
  await Promise.all([send(datapoints, here, 1), send(datapoints, there, 1)])
  await setAway(there.context.domain.id)
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = send(datapoints, there, 2)
  await send(datapoints, here, 2)
  silence = promise
  await send(datapoints, here, 2)
  const later = send(datapoints, there, 2)
  expect(await send(datapoints, here, 2)).toMatchObject({ stored: 1 })
  await setAway(null)
  silence = null
  resolve()
  expect(await Promise.all([waiting, later])).toMatchObject([{ stored: 1 }, { stored: 1 }])
  await datapoints.close()
})

it('a batch for a node that is away for long is refused as unavailable', async () => {
  const [here, there] = sites
  const datapoints = serve(1_000)
  await setAway(there.context.domain.id)
  const [stored, refused] = await Promise.allSettled([send(datapoints, here, 3), send(datapoints, there, 3)])
  expect(stored.status).toBe('fulfilled')
  expect(refused).toMatchObject({ reason: { code: 'UNAVAILABLE', message: expect.stringMatching(/its node/) } })
  await setAway(null)
  expect(await counts(there)).toStrictEqual([1, 2])
  await datapoints.close()
})

it('folding sets the points of a node that is away aside, and folds them when it is back', async () => {
  const [here, there] = sites
  const datapoints = serve(0)
  const before = [await counts(here), await counts(there)]
  await Promise.all([send(datapoints, here, 4), send(datapoints, there, 4)])
  await setAway(there.context.domain.id)
  await datapoints.compactor.compact()
  expect(datapoints.load.hot).toBe(0)
  expect(await listDomainsAside()).toStrictEqual([there.context.domain.id])
  const buffersOf = async ({ context }: SiteOfDomain) =>
    (await database.read((sql) => fetchBuffersOf(sql, context.domain.id))).map(({ buffer }) => buffer)
  expect(await buffersOf(here)).not.toContain(ASIDE)
  expect(await buffersOf(there)).toContain(ASIDE)
  const after = before.map((values) => [...values, 4])
  expect([await counts(here), await counts(there)]).toStrictEqual(after)
  const latest = await readLatest(there.context, EVERYWHERE, {})
  expect(JSON.stringify(latest, (_, value) => (typeof value === 'bigint' ? Number(value) : value))).toContain(
    '"value":4',
  )
  // The node is still away.
  await datapoints.takeOver()
  expect(await listDomainsAside()).toStrictEqual([there.context.domain.id])
  await setAway(null)
  await datapoints.takeOver()
  expect(await listDomainsAside()).toStrictEqual([])
  expect([await counts(here), await counts(there)]).toStrictEqual(after)
  // Nobody reads the deleted rows.
  const [size] = await database.rows({ bytes: INT8 }, `select pg_relation_size('datapoints_hot_0') as bytes`)
  expect(size).toStrictEqual({ bytes: 0 })
  expect(await buffersOf(there)).not.toContain(ASIDE)
  await datapoints.close()
})

it('a node that is known to be away is not asked', async () => {
  const [here, there] = sites
  const asked: string[] = []
  const isAway = { now: true }
  const datapoints = serve(0, {
    away: () => new Set(isAway.now ? [there.context.domain.id] : []),
    rowsApart: (shape, text, values) => {
      asked.push(String(values?.[1]))
      return database.rowsApart(shape, text, values)
    },
  })
  await send(datapoints, here, 5)
  asked.length = 0
  const [stored, refused] = await Promise.allSettled([send(datapoints, here, 6), send(datapoints, there, 6)])
  expect(stored.status).toBe('fulfilled')
  expect(refused).toMatchObject({
    reason: {
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/its node .* with the same Idempotency-Key or timestamps$/),
    },
  })
  expect(asked.filter((domains) => domains.split(',').includes(String(there.context.domain.id)))).toStrictEqual([])
  isAway.now = false
  await datapoints.close()
})

it('a node that was restored without the others loses no point that is acknowledged afterwards', async () => {
  const [here] = sites
  const datapoints = serve(0)
  await send(datapoints, here, 7)
  await datapoints.compactor.compact()
  // A series of the time that is lost.
  await database.script(`delete from series where domain_id = ${here.context.domain.id};
    create or replace function node_start() returns text language sql stable as $$ select 'later' $$;`)
  await send(datapoints, here, 8)
  expect((await counts(here)).at(-1)).toBe(8)
  await datapoints.close()
})
