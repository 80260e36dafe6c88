import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { Datapoints, type DatapointOptions } from '../../src/platform/datapoints/datapoints.ts'
import type { IngestContext } from '../../src/platform/datapoints/ingest/sent-batch.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { ANY_DATABASE, createPostgresDatabase, type DatabaseKind } from '../support/databases.ts'
import { emptyDomain, makeDomain } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { makeSite, type Site } from '../support/site.ts'

// A domain with a site, and a server that stores its datapoints. `useSite` sets these variables before each test.

export let database: Database
/** Pools of connections to the same database, where `processes` asks for them. The first is `database`. */
export let databases: readonly Database[]
export let context: DomainContext
export let site: Site
export let datapoints: Datapoints
/** Sends datapoints of any system of the domain. */
export let sender: IngestContext

type ServerOptions = Partial<Omit<DatapointOptions, 'newId'>>

interface SiteOptions extends ServerOptions {
  readonly kind?: DatabaseKind
  /** The number of sensors. */
  readonly components?: number
  /** How many processes the test plays: each gets connections of its own to a PostgreSQL database. */
  readonly processes?: number
  /** Keeps the site from test to test of the file. */
  readonly isKept?: boolean
}

let defaults: ServerOptions
let servers: Datapoints[] = []

/** Gives the file a database, and each test an empty domain with a site. */
export function useSite(options: SiteOptions = {}): void {
  const { kind = ANY_DATABASE, components, processes = 0, isKept = false, ...given } = options
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = processes === 0 ? await openOne(kind) : await openSeveral(processes)
    ;({ databases, close } = opened)
    database = databases[0] as Database
  })
  afterAll(() => close())
  const [before, after] = isKept ? [beforeAll, afterAll] : [beforeEach, afterEach]
  before(async () => {
    defaults = given
    const made = await makeDomain(database)
    context = { ...made, now: given.now ?? made.now }
    await emptyDomain(context)
    site = await makeSite(context, components)
    sender = senderOf(context)
    datapoints = serve()
  })
  after(async () => {
    for (const server of servers.splice(0)) await server.close()
  })
}

/** Starts another server of the domain, which closes after the test. */
export function serve(options: ServerOptions = {}): Datapoints {
  const limits = { ...defaults.limits, ...options.limits }
  const server = new Datapoints({ isAlone: true, ...context, ...defaults, ...options, limits })
  servers.push(server)
  return server
}

/** Lets another server store the datapoints of this test. */
export function restart(options: ServerOptions): void {
  datapoints = serve(options)
}

export function senderOf({ domain, actorName }: DomainContext): IngestContext {
  return { domainId: domain.id, actor: actorName, systemUuid: null, units: null }
}

interface Opened {
  readonly databases: readonly Database[]
  close(): Promise<void>
}

async function openOne(kind: DatabaseKind): Promise<Opened> {
  const opened = await kind.openMigrated()
  return { databases: [opened], close: () => opened.close() }
}

async function openSeveral(processes: number): Promise<Opened> {
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const pools: Database[] = []
  for (let index = 0; index < processes; index++) pools.push(await openPostgres(url, { maxConnections: 4 }))
  const close = async () => {
    for (const pool of pools) await pool.close()
    await drop()
  }
  return { databases: pools, close }
}
