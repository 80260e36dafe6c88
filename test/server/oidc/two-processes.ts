import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import type { AccessContext } from '../../../src/platform/access/access-context.ts'
import { externalProviders } from '../../../src/platform/access/delegated/provider/external-providers.ts'
import { GrantKeeper } from '../../../src/platform/access/grants/grant-keeper.ts'
import { DataKey } from '../../../src/platform/data-key.ts'
import { SecretKeeper } from '../../../src/platform/secret-keeper.ts'
import { findDomainBySlug } from '../../../src/store/domains.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts'

// A platform of two server processes on one PostgreSQL, and what a test needs to put people into it.

const PROGRAM = fileURLToPath(new URL('../serve-program.ts', import.meta.url))
const KEY = 'ab'.repeat(32)

/** What browsers call it, whichever of the two answers. */
export const HOST = 'main.example'

export interface TwoProcesses {
  readonly urls: readonly [string, string]
  readonly access: AccessContext
  close(): Promise<void>
}

export async function startTwoProcesses(env: { readonly [name: string]: string } = {}): Promise<TwoProcesses> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-two-'))
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  // A server that has a base URL says that one, and not where it listens.
  const ports = [await freePort(), await freePort()] as const
  const start = (index: 0 | 1): Promise<ServerProcess> =>
    startServerProcess([PROGRAM], {
      cwd: tmpdir(),
      env: {
        PATH: process.env['PATH'],
        PORT: String(ports[index]),
        DATABASE_URL: url,
        HOLDFAST_KEY: KEY,
        HOLDFAST_DATA_DIR: join(directory, String(index)),
        HOLDFAST_BASE_URL: `http://${HOST}`,
        ...env,
      },
    })
  // One after the other: the first one makes the operator, and the second one finds it.
  const servers = [await start(0), await start(1)] as const
  const database = await openPostgres(url, { maxConnections: 4 })
  return {
    urls: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    access: await accessTo(database),
    async close() {
      await Promise.all(servers.map((server) => server.stop()))
      await database.close()
      await drop()
      rmSync(directory, { recursive: true })
    },
  }
}

async function accessTo(database: Database): Promise<AccessContext> {
  const domain = await database.read((sql) => findDomainBySlug(sql, 'local'))
  if (domain === null) throw new Error('the servers made no domain')
  const [key, now] = [new Uint8Array(Buffer.from(KEY, 'hex')), () => new Date()]
  return {
    database,
    domain,
    secrets: new SecretKeeper(key, now),
    key: new DataKey(key),
    external: externalProviders({ allowedOrigins: [], now }),
    grants: new GrantKeeper(database),
    now,
    newId: () => crypto.randomUUID(),
  }
}
