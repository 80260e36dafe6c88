import { openPostgres } from '../src/db/postgres/postgres.ts'
import type { Database } from '../src/db/sql.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { openSite, type Site } from './datapoints-site.ts'
import { postgresStores, startServer, type Server, type Store } from './platform.ts'
import { familyProcessorTime } from './processes.ts'

/** Of one system: as many as may be read at once. */
export const PER_SYSTEM = 1_000

/** A platform on a database of its own. */
export interface Fleet {
  readonly store: Store
  readonly site: Site
  readonly server: Server
  /** For what an administrator would look at, such as the sizes of tables. */
  readonly database: Database
  /** Of the database, milliseconds. */
  processorTime(): number
  end(): Promise<void>
}

export async function startFleet(postgres: PostgresServer): Promise<Fleet> {
  const ofDatabase = () => familyProcessorTime(postgres.pid)
  const store = await postgresStores(postgres, ofDatabase).create()
  const server = await startServer(store)
  const database = await openPostgres(store.env['DATABASE_URL'] ?? '', { maxConnections: 4 })
  return {
    store,
    site: await openSite(database),
    server,
    database,
    processorTime: ofDatabase,
    end: async () => {
      await server.stop()
      await database.close()
      await store.remove()
    },
  }
}

/** Of every part each database has its own name; the rest of the run goes on where one part fails. */
export async function withFleet<Result>(
  postgres: PostgresServer,
  work: (fleet: Fleet) => Promise<Result>,
): Promise<Result> {
  const fleet = await startFleet(postgres)
  try {
    return await work(fleet)
  } finally {
    await fleet.end()
  }
}

export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}
