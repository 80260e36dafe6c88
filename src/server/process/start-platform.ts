import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { DatabaseClock } from '../../db/database-clock.ts'
import { recentlyUsed } from '../../lib/recently-used.ts'
import { lockDirectory, type DirectoryLock } from '../../db/pglite/directory-lock.ts'
import { nameSessions, shareConnections } from '../../db/postgres/connection-budget.ts'
import { migrate, type MigrationNews } from '../../db/migrate.ts'
import { MIGRATIONS, readMigrations } from '../../db/read-migrations.ts'
import type { Database } from '../../db/sql.ts'
import { storageError } from '../../db/storage-error.ts'
import { LONG_WORK_MS, withTimeLimit } from '../../db/time-limit.ts'
import { externalProviders } from '../../platform/access/delegated/provider/external-providers.ts'
import { GrantKeeper } from '../../platform/access/grants/grant-keeper.ts'
import { ChangeSignals } from '../../platform/change-signals.ts'
import { Datapoints } from '../../platform/datapoints/datapoints.ts'
import { DataKey } from '../../platform/data-key.ts'
import { SecretKeeper } from '../../platform/secret-keeper.ts'
import { ensureDomain, findDomainBySlug, type Domain, findDomainByHost } from '../../store/domains.ts'
import type { AccessParts } from '../request-context.ts'
import { bearerAuthenticator } from '../authenticate.ts'
import { dataKey } from './private-file.ts'
import { hostName, WILDCARDS } from '../requests/host-name.ts'
import type { Platform } from '../platform.ts'

export interface StartedPlatform extends Platform {
  /** The domain that the first start creates. */
  readonly domain: Domain
  /** The name of the platform's sessions in PostgreSQL. */
  readonly sessions: string
  /** Stores the address of the data directory's server for other programs on this machine. */
  announce(url: string): void
  close(): Promise<void>
}

const DEFAULT_SLUG = 'local'

/** Opens the database, migrates it and creates what the first start needs. One process may own a data directory. */
export async function startPlatform(config: Config, news?: MigrationNews): Promise<StartedPlatform> {
  const startedAt = new Date().toISOString()
  const holder = (url: string | null) => ({ pid: process.pid, url, startedAt })
  const lock = config.databaseUrl === null ? lockDirectory(config.dataDir, { holder: holder(null) }) : null
  const sessions = nameSessions(config.connections)
  try {
    const database = await openDatabase(config, sessions)
    try {
      const { clock, ...platform } = await preparePlatform(config, database, news)
      const close = (): Promise<void> => {
        clock.close()
        return closeAll(platform, lock)
      }
      return { ...platform, sessions, announce: (url) => lock?.update(holder(url)), close }
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    lock?.release()
    throw storageError(error, 'the disk of this machine') ?? error
  }
}

/** Opens the database, and loads only the driver that is used. */
async function openDatabase({ databaseUrl, dataDir, connections }: Config, name: string): Promise<Database> {
  if (databaseUrl === null) return (await import('../../db/pglite/pglite.ts')).openPglite(join(dataDir, 'pglite'))
  const maxConnections = shareConnections(connections).requests
  return (await import('../../db/postgres/postgres.ts')).openPostgres(databaseUrl, { maxConnections, name })
}

async function preparePlatform(
  config: Config,
  database: Database,
  news?: MigrationNews,
): Promise<Omit<StartedPlatform, 'sessions' | 'announce' | 'close'> & { readonly clock: DatabaseClock }> {
  const clock = await DatabaseClock.open(database)
  const { now } = clock
  const parts = accessParts(config, database, now)
  const changes = new ChangeSignals()
  await migrate(database, await readMigrations(MIGRATIONS), news)
  return {
    ...parts,
    clock,
    domain: await ensureDefaultDomain(config, database),
    baseUrl: config.baseUrl,
    authenticate: bearerAuthenticator(parts),
    datapoints: new Datapoints({
      database,
      patient: withTimeLimit(database, LONG_WORK_MS),
      now,
      newId: parts.newId,
      isAlone: config.databaseUrl === null,
      changes,
    }),
    changes,
    findDomain: domainFinder(database, () => performance.now()),
    checkDatabase: async () => {
      await database.read((sql) => findDomainBySlug(sql, DEFAULT_SLUG))
    },
  }
}

function accessParts(
  { key, dataDir, allowedIssuers, providerRefreshHours }: Config,
  database: Database,
  now: () => Date,
): AccessParts {
  const bytes = key ?? dataKey(dataDir)
  return {
    database,
    secrets: new SecretKeeper(bytes, now),
    key: new DataKey(bytes),
    external: externalProviders({ allowedOrigins: allowedIssuers, refreshSeconds: providerRefreshHours * 3_600, now }),
    grants: new GrantKeeper(database),
    now,
    newId: () => randomUUID(),
  }
}

async function ensureDefaultDomain(config: Config, database: Database): Promise<Domain> {
  const hostNames = localHosts(config)
  const existing = await database.read((sql) => findDomainBySlug(sql, DEFAULT_SLUG))
  if (existing !== null && hostNames.every((name) => existing.hostNames.includes(name))) return existing
  return database.transaction((sql) =>
    ensureDomain(sql, { uuid: randomUUID(), slug: DEFAULT_SLUG, name: 'Local', hostNames }),
  )
}

/** Returns the host names of this machine, and those from the environment. */
function localHosts({ host, baseUrl }: Config): string[] {
  const listening = host in WILDCARDS ? [] : [hostName(host.includes(':') ? `[${host}]` : host)]
  const published = baseUrl === null ? [] : [hostName(new URL(baseUrl).host)]
  const names = ['localhost', '127.0.0.1', '::1', ...listening, ...published]
  return [...new Set(names.filter((name) => name !== null))]
}

async function closeAll({ database, datapoints }: Platform, lock: DirectoryLock | null): Promise<void> {
  try {
    // Another process, or the next start, folds the datapoints that could not be folded here.
    await datapoints.close().catch(() => undefined)
    await database.close()
  } finally {
    lock?.release()
  }
}

/** The time for which a process trusts its copy of a domain's hosts, in milliseconds. */
const FRESH_MS = 1_000
const MOST_HOSTS = 10_000

/**
 * Finds domains by host name. Only existing hosts are cached, because anybody can send other names. Requests that
 * arrive during a look-up share it.
 */
function domainFinder(database: Database, now: () => number): (host: string) => Promise<Domain | null> {
  const known = recentlyUsed<{ readonly domain: Promise<Domain | null>; readonly until: number }>(MOST_HOSTS)
  return (host) => {
    const remembered = known.get(host)
    if (remembered !== undefined && now() < remembered.until) return remembered.domain
    const domain = findDomainByHost(database, host)
    known.set(host, { domain, until: now() + FRESH_MS })
    const forget = (): void => {
      if (known.get(host)?.domain === domain) known.delete(host)
    }
    domain.then((found) => (found === null ? forget() : undefined), forget)
    return domain
  }
}
