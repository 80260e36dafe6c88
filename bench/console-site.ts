import { Client } from 'pg'
import { send, toHoldfast } from './datapoints-client.ts'
import { finishFolding } from './fleet-clock.ts'
import { openSite } from './datapoints-site.ts'
import { startServer, type Store } from './platform.ts'

// A platform with much of everything, of which one house is looked at.

export interface Sizes {
  readonly records: number
  readonly systems: number
  readonly series: number
}

/** What is looked at. */
export interface House {
  readonly systemUuid: string
  /** The address of a series that has a month of points, one a second. */
  readonly month: string
  /** The addresses of six series of 100,000 points each, and the window that shows them as closely as a screen can. */
  readonly six: readonly string[]
  readonly day: string
}

export const MONTH_MS = 30 * 86_400_000
const CHARTS = 6
export const POINTS = 100_000

/** Fills an empty platform, on which no server runs before and after. */
export async function fillPlatform(store: Store, { records, systems, series }: Sizes): Promise<House> {
  const server = await startServer(store)
  const database = await store.open()
  const site = await openSite(database)
  const own = await site.add(10)
  // Batches are sent whole, and none may lie ahead.
  const [end, client] = [
    Date.now() - 3 * 3_600_000,
    { ...toHoldfast(server.url, await server.token()), batch: 5_000, connections: 4 },
  ]
  await send({ ...client, series: own.slice(0, 1), points: MONTH_MS / 1_000, from: end - MONTH_MS })
  await send({ ...client, series: own.slice(1, 1 + CHARTS), points: CHARTS * POINTS, from: end - POINTS * 1_000 })
  await server.stop()
  await finishFolding(database)
  await database.close()
  await run(store, [...fillings(site.domainId, { records, systems, series }), 'vacuum analyze'])
  return { ...houseOf(own), day: dayBefore(end) }
}

/** On a connection of our own: a million rows take longer than the platform waits for an answer. */
async function run({ env }: Store, statements: readonly string[]): Promise<void> {
  const client = new Client(env['DATABASE_URL'])
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

function dayBefore(end: number): string {
  const [from, to] = [end - 86_400_000, end].map((at) => new Date(at).toISOString())
  return `from=${from}&to=${to}`
}

function houseOf(series: readonly string[]): Omit<House, 'day'> {
  const named = series.map((text) => JSON.parse(`${text}0}`) as { [name: string]: string })
  const addresses = named.map((one, index) => `${one['component_uuid'] ?? ''}/measuring/measure-${index}`)
  return {
    systemUuid: named[0]?.['system_uuid'] ?? '',
    month: addresses[0] ?? '',
    six: addresses.slice(1, 1 + CHARTS),
  }
}

/** Rows as the platform writes them, but for what no page shows. */
function fillings(domain: number, { records, systems, series }: Sizes): readonly string[] {
  const each = Math.round(series / systems)
  return [
    `insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
     select ${domain}, gen_random_uuid(), 'characteristics', 'value-' || i, jsonb_build_object(
       'code', 'value-' || i, 'name', 'Measured value ' || i || ' of a device', 'status', 'ACTIVATED',
       'characteristicType', 'MEASUREMENT', 'dataType', 'FLOAT', 'symbol', '°C', 'precision', 1,
       'description', repeat('what it means ', 10), 'metadataKeyValueStore', '[]'::jsonb), 'sha256:' || md5(i::text), now(), now()
     from generate_series(1, ${records}) i`,
    `insert into systems (domain_id, uuid, shard_key, name, status, metadata, created_at, updated_at)
     select ${domain}, gen_random_uuid(), ${domain}, 'House number ' || i || ' of the street', 'ACTIVATED', '[]', now(), now()
     from generate_series(1, ${systems}) i`,
    `insert into components (domain_id, uuid, shard_key, system_uuid, model_uuid, name, status, metadata, created_at, updated_at)
     select s.domain_id, gen_random_uuid(), s.shard_key, s.uuid, m.uuid, 'Meter of ' || s.name, 'ACTIVATED', '[]', now(), now()
     from systems s join records m on m.domain_id = s.domain_id and m.type = 'componentModels' and m.key = 'meter'
     where s.domain_id = ${domain} and s.name like 'House%'`,
    `insert into series (domain_id, id, shard_key, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
     select c.domain_id, nextval('series_ids'), c.shard_key, c.system_uuid, c.uuid, v.uuid, m.uuid, 'float', now()
     from components c
     join records v on v.domain_id = c.domain_id and v.type = 'services' and v.key = 'measuring'
     join records m on m.domain_id = c.domain_id and m.type = 'characteristics' and m.key like 'measure-%'
       and split_part(m.key, '-', 2)::integer < ${each}
     where c.domain_id = ${domain} and c.name like 'Meter of%'`,
  ]
}
