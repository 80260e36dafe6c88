import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { brotliCompressSync, constants } from 'node:zlib'
import { Client } from 'pg'
import { readCredentials, type Credentials } from '../src/server/process/credentials.ts'
import { CookieClient } from '../test/support/cookie-client.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { measureFrames } from './console-frames.ts'
import { finishFolding } from './stored.ts'
import { send, toHoldfast } from './load.ts'
import { tell } from './measure.ts'
import { goalTable, ON_POSTGRES, tenths, whole, type Options, type Report, type Size } from './report.ts'
import { namesOf, openSite, postgresStore, startServer, type Server, type Store } from './server.ts'
import { CONSOLE } from './targets.ts'

// npm run bench:console: what each page of the console costs if a domain has much, and whether charts keep up with the hand
// that moves them.

/** `days`: for which one series has a point each second; `points`: those of six other series. */
const SIZES = {
  whole: { records: 100_000, systems: 100_000, series: 1_000_000, days: 30, points: 100_000 },
  night: { records: 10_000, systems: 10_000, series: 100_000, days: 30, points: 100_000 },
  quick: { records: 100, systems: 100, series: 1_000, days: 1, points: 10_000 },
} satisfies { readonly [size in Size]: object }
type Sizes = (typeof SIZES)[Size]

export async function bench({ size }: Options): Promise<Report> {
  const sizes = SIZES[size]
  const postgres = await startPostgres({ durable: true })
  const store = await postgresStore(postgres)
  tell('filling a platform …')
  const house = await fillPlatform(store, sizes)
  const server = await startServer(store, ['--import', COUNTER])
  const credentials = readCredentials(store.env.HOLDFAST_DATA_DIR)
  if (credentials === null) throw new Error('the server made no credentials')
  const client = await signedIn(server.url, credentials)
  const pages: PageCost[] = []
  for (const [what, path] of addressesOf(house)) pages.push(await costOf(server, client, store, what, path))
  const frames = await measureFrames(server.url, chartsOf(house), credentials)
  await server.stop()
  await postgres.stop()

  const month = pages.find(({ what }) => what === MONTH)!
  const cost = (page: PageCost) => page.server + page.database
  const searches = pages.filter(({ what }) => /search/i.test(what)).map(cost)
  return {
    title: 'The console',
    about: `${ON_POSTGRES}

One domain has ${whole(sizes.records)} records, ${whole(sizes.systems)} systems and ${whole(sizes.series)} series; of one series there is a month of points, one a second, and of six there are 100,000 points each. Each page was asked for ten times by one person after a first time. Processor time is that of the server's process and of the database, of which times are known in hundredths of a second; bytes are those of the page in brotli at level 4. Statements are all that is sent to the database, those that begin and end a transaction and choose the role included.`,
    blocks: [
      {
        columns: ['page', 'statements', 'server, ms', 'database, ms', 'bytes'],
        rows: pages.map(({ what, statements, server, database, bytes }) => [
          what,
          whole(statements),
          tenths(server),
          whole(database),
          whole(bytes),
        ]),
      },
      goalTable([
        { ...CONSOLE.search, actual: Math.max(...searches) },
        { ...CONSOLE.month, actual: cost(month) },
        { ...CONSOLE.monthBytes, actual: month.bytes },
        { ...CONSOLE.frame, actual: frames.work },
        { ...CONSOLE.late, actual: frames.late * 100 },
        { ...CONSOLE.veryLate, actual: frames.veryLate * 100 },
      ]),
      `A day of six series of 100,000 points each, 1,440 buckets of three figures each, was drawn to and fro by its time axis with the pointer, in Chromium without a graphics card: ${frames.count} frames, in each of which scripts, styles and layout took ${tenths(frames.work)} ms; a frame every ${tenths(frames.median)} ms in the median, ${tenths(frames.p95)} at the 95th percentile, ${tenths(frames.longest)} at the longest.`,
    ],
  }
}

/** The house that is looked at. */
interface House {
  readonly systemUuid: string
  /** The address of the series that has a month of points. */
  readonly month: string
  /** The addresses of six series, and the window that shows their last day. */
  readonly six: readonly string[]
  readonly day: string
}

/** Fills an empty platform, on which no server runs before and after. */
async function fillPlatform(store: Store, sizes: Sizes): Promise<House> {
  const server = await startServer(store)
  const database = await store.open()
  const site = await openSite(database)
  const [own, length] = [await site.add(10), sizes.days * 86_400_000]
  // Batches are sent whole, and none may lie ahead.
  const end = Date.now() - 3 * 3_600_000
  const client = { ...toHoldfast(server.url, await server.token()), batch: 5_000, connections: 4 }
  await send({ ...client, series: own.slice(0, 1), points: length / 1_000, from: end - length })
  await send({ ...client, series: own.slice(1, 7), points: 6 * sizes.points, from: end - sizes.points * 1_000 })
  await server.stop()
  await finishFolding(database)
  await database.close()
  // On a connection of our own: a million rows take longer than the platform waits for an answer.
  const plain = new Client(store.env['DATABASE_URL'])
  await plain.connect()
  for (const statement of fillings(site.domainId, sizes)) await plain.query(statement)
  await plain.query('vacuum analyze')
  await plain.end()
  const addresses = own.map((one, index) => `${namesOf(one)['component_uuid']}/measuring/measure-${index}`)
  const [from, to] = [end - 86_400_000, end].map((at) => new Date(at).toISOString())
  return {
    systemUuid: namesOf(own[0] ?? '')['system_uuid'] ?? '',
    month: addresses[0] ?? '',
    six: addresses.slice(1, 7),
    day: `from=${from}&to=${to}`,
  }
}

/** Rows as the platform writes them, without fields that no page shows. */
function fillings(domain: number, { records, systems, series }: Sizes): readonly string[] {
  return [
    `insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
     select ${domain}, gen_random_uuid(), 'characteristics', 'value-' || i, jsonb_build_object(
       'code', 'value-' || i, 'name', 'Measured value ' || i || ' of a device', 'status', 'ACTIVATED',
       'characteristicType', 'MEASUREMENT', 'dataType', 'FLOAT', 'symbol', '°C', 'precision', 1,
       'description', repeat('what it means ', 10), 'metadataKeyValueStore', '[]'::jsonb), 'sha256:' || md5(i::text), now(), now()
     from generate_series(1, ${records}) i`,
    `insert into systems (domain_id, uuid, name, status, metadata, created_at, updated_at)
     select ${domain}, gen_random_uuid(), 'House number ' || i || ' of the street', 'ACTIVATED', '[]', now(), now()
     from generate_series(1, ${systems}) i`,
    `insert into components (domain_id, uuid, system_uuid, model_uuid, name, status, metadata, created_at, updated_at)
     select s.domain_id, gen_random_uuid(), s.uuid, m.uuid, 'Meter of ' || s.name, 'ACTIVATED', '[]', now(), now()
     from systems s join records m on m.domain_id = s.domain_id and m.type = 'componentModels' and m.key = 'meter'
     where s.domain_id = ${domain} and s.name like 'House%'`,
    `insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
     select c.domain_id, nextval('series_ids'), c.system_uuid, c.uuid, v.uuid, m.uuid, 'float', now()
     from components c
     join records v on v.domain_id = c.domain_id and v.type = 'services' and v.key = 'measuring'
     join records m on m.domain_id = c.domain_id and m.type = 'characteristics' and m.key like 'measure-%'
       and split_part(m.key, '-', 2)::integer < ${Math.round(series / systems)}
     where c.domain_id = ${domain} and c.name like 'Meter of%'`,
  ]
}

/** Somebody without a browser who has signed in to the console. */
async function signedIn(url: string, { username, password }: Credentials): Promise<CookieClient> {
  const client = new CookieClient()
  const form = await client.open(`${url}/systems`)
  const reply = await client.submit(form, { username, password, decision: 'sign-in' })
  if (reply.status !== 200) throw new Error(`nobody could sign in: ${reply.status} ${reply.url}`)
  return client
}

const MONTH = 'Analyse, data of 30 days at 1 Hz'

function chartsOf({ systemUuid, six, day }: House): string {
  const shown = six.map((one) => `show=${encodeURIComponent(one)}`).join('&')
  return `/systems/${systemUuid}/analyse?${shown}&${day}`
}

function addressesOf(house: House): readonly (readonly [what: string, path: string])[] {
  const system = `/systems/${house.systemUuid}`
  const charts = chartsOf(house)
  const month = `show=${encodeURIComponent(house.month)}&window=30d`
  return [
    ['Home', '/'],
    ['Systems', '/systems'],
    ['Systems: a search that finds one', '/systems?search=number+4321+of'],
    ['Systems: a search that finds none', '/systems?search=nowhere'],
    ['Systems: a search that finds all', '/systems?search=house'],
    ['Systems: a search in other letters', '/systems?search=h%C3%B6us'],
    ['Search anything', '/search?q=measured'],
    ['A system', system],
    ['Analyse, six charts', charts],
    [MONTH, `${system}/analyse/data?${month}`],
    ['Analyse, data of six series of 86,400 points', charts.replace('/analyse?', '/analyse/data?')],
    ['Analyse, the CSV of 30 days at 1 Hz', `${system}/analyse/csv?${month}`],
    ['Setpoints', `${system}/setpoints`],
    ['Events', `${system}/events`],
    ['Refused', `${system}/refused`],
    ['Credentials', `${system}/credentials`],
    ['Model', '/model'],
    ['Model: characteristics', '/model/characteristics'],
    ['Model: a search that finds one', '/model/characteristics?search=value+4321+of'],
    ['Model: a search that finds none', '/model/characteristics?search=nowhere'],
    ['Model: a search that finds all', '/model/characteristics?search=measured'],
    ['Model: a characteristic of all systems', '/model/characteristics/measure-1'],
    ['Applies', '/applies'],
    ['Drift', '/drift'],
    ['Organizations', '/organizations'],
    ['Users', '/users'],
    ['Machine users', '/machine-users'],
    ['Application consumers', '/application-consumers'],
    ['Authentication methods', '/auth-methods'],
  ]
}

interface PageCost {
  readonly what: string
  readonly statements: number
  /** Of the server and of the database, in milliseconds. */
  readonly server: number
  readonly database: number
  /** As they are sent, compressed. */
  readonly bytes: number
}

/** The database tells its time in hundredths of a second, so it is asked about several turns at once. */
const TURNS = 10

async function costOf(
  server: Server,
  client: CookieClient,
  store: Store,
  what: string,
  path: string,
): Promise<PageCost> {
  const ask = async (coding: string) => {
    const reply = await client.get(server.url + path, { 'accept-encoding': coding })
    if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}`)
    return reply.text
  }
  // The first look fills memories, and is not measured.
  const text = await ask('identity')
  const [database, before] = [store.databaseCpu(), await usedBy(server)]
  for (let turn = 0; turn < TURNS; turn++) await ask('br')
  const after = await usedBy(server)
  tell(`  ${what}`)
  return {
    what,
    statements: Math.round((after.statements - before.statements) / TURNS),
    server: (after.cpu - before.cpu) / TURNS,
    database: (store.databaseCpu() - database) / TURNS,
    bytes: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length,
  }
}

const COUNTER = new URL('./count-statements.js', import.meta.url).pathname

/** The statements that a server with the counter has sent to the database, and its processor time in milliseconds. */
async function usedBy({ child }: Server): Promise<{ readonly statements: number; readonly cpu: number }> {
  const line = once(child.stdio[3] as Readable, 'data')
  child.kill('SIGUSR2')
  const [text] = (await line) as [Buffer]
  return JSON.parse(text.toString()) as { readonly statements: number; readonly cpu: number }
}
