import { Client } from 'pg'
import { sqlState } from '../sql-error.ts'

/** Tells whether a PostgreSQL server says anything to who connects, also that it is full or just starts. */
export async function reachPostgres(url: string, ms: number): Promise<boolean> {
  const client = new Client({ connectionString: url, application_name: 'holdfast', connectionTimeoutMillis: ms })
  // Where it is lost later, too, it fails as an event, which would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    client.end().catch(() => undefined)
    return true
  } catch (error) {
    return sqlState(error) !== undefined
  }
}
