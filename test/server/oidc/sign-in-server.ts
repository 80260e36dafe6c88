import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Database } from '../../../src/db/sql.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { AccessContext } from '../../../src/platform/access/access-context.ts'
import { GrantKeeper } from '../../../src/platform/access/grants/grant-keeper.ts'
import { externalProviders } from '../../../src/platform/access/delegated/provider/external-providers.ts'
import { DataKey } from '../../../src/platform/data-key.ts'
import { SecretKeeper } from '../../../src/platform/secret-keeper.ts'
import { accessContext } from '../../../src/server/request-context.ts'
import { createApp } from '../../../src/server/app.ts'
import { bearerAuthenticator } from '../../../src/server/authenticate.ts'
import { Lifecycle } from '../../../src/server/lifecycle.ts'
import { addressOf, listen } from '../../../src/server/process/listen.ts'
import { ensureDomain, findDomainByHost } from '../../../src/store/domains.ts'

// A server that people and applications sign in to. Several of them on one database are several processes of one platform:
// they share the key and nothing else.

const KEY = new Uint8Array(32).fill(5)

export interface SignInServer {
  readonly url: string
  /** Of the domain that `url` leads to. */
  readonly access: AccessContext
  /** Of another domain, whose host is `other.example`. */
  readonly other: AccessContext
  readonly log: readonly string[]
  close(): Promise<void>
}

export interface SignInOptions {
  readonly baseUrl?: string | null
  readonly now?: () => Date
  readonly allowedIssuers?: readonly string[]
}

export async function startSignIn(
  database: Database,
  { baseUrl = null, now = () => new Date(), allowedIssuers = [] }: SignInOptions = {},
): Promise<SignInServer> {
  const external = externalProviders({ allowedOrigins: allowedIssuers, now })
  const parts = {
    database,
    secrets: new SecretKeeper(KEY, now),
    key: new DataKey(KEY),
    external,
    grants: new GrantKeeper(database),
    now,
    newId: randomUUID,
  }
  const [domain, other] = await Promise.all([
    makeDomain(database, 'main', ['127.0.0.1', 'main.example']),
    makeDomain(database, 'other', ['other.example']),
  ])
  const log: string[] = []
  const write = (fields: object, message: string) => void log.push(JSON.stringify({ message, ...fields }))
  const changes = new ChangeSignals()
  const platform = {
    ...parts,
    baseUrl,
    authenticate: bearerAuthenticator(parts),
    findDomain: (host: string) => database.read((sql) => findDomainByHost(sql, host)),
    datapoints: new Datapoints({ ...parts, isAlone: true, changes }),
    changes,
    checkDatabase: () => Promise.resolve(),
  }
  const logger = { info: write, error: write }
  const { app, direct } = createApp({ lifecycle: new Lifecycle('ready'), logger, platform: () => platform })
  const server = await listen((request, bindings) => app.fetch(request, bindings), {
    host: '127.0.0.1',
    port: 0,
    direct,
  })
  return {
    url: addressOf(server),
    access: accessContext(parts, domain),
    other: accessContext(parts, other),
    log,
    close: () => close(server),
  }
}

function makeDomain(database: Database, slug: string, hostNames: readonly string[]) {
  return database.transaction((sql) => ensureDomain(sql, { uuid: randomUUID(), slug, name: slug, hostNames }))
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
