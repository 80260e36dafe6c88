import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChangeSignals } from '../../src/platform/change-signals.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { GrantKeeper } from '../../src/platform/access/grants/grant-keeper.ts'
import { externalProviders } from '../../src/platform/access/delegated/provider/external-providers.ts'
import { identifierOf } from '../../src/platform/access/clients/clients.ts'
import { createPasswordLink, setPassword } from '../../src/platform/access/accounts/password-links.ts'
import { DataKey } from '../../src/platform/data-key.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { SecretKeeper } from '../../src/platform/secret-keeper.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import type { Limits } from '../../src/server/requests/limits.ts'
import { createApp } from '../../src/server/app.ts'
import { bearerAuthenticator } from '../../src/server/authenticate.ts'
import { Lifecycle } from '../../src/server/lifecycle.ts'
import { listen } from '../../src/server/process/listen.ts'
import type { AddPages } from '../../src/server/page-services.ts'
import { ensureDomain, findDomainByHost } from '../../src/store/domains.ts'
import { ANY_DATABASE, type DatabaseKind } from './databases.ts'
import { applyAll } from './domain.ts'

// A server that people sign in to, and an application that sends them there.

export const ANN = { email: 'ann@example.org', name: 'Ann Example', password: 'correct horse battery' } as const
export const BOB = { email: 'bob@example.org', name: 'Bob Example', password: 'stapler under the tree' } as const

export interface LoginServerOptions {
  /** Origins of external providers that the server may call. */
  readonly allowedOrigins?: readonly string[]
  readonly baseUrl?: string | null
  /** Additional host names of the domain. */
  readonly hostNames?: readonly string[]
  readonly database?: DatabaseKind
  /** Pages of a user interface, such as the console. */
  readonly addPages?: AddPages
  readonly now?: () => Date
  readonly limits?: Partial<Limits>
}

export interface LoginServer {
  /** The address of the server. The domain has this host. */
  readonly url: string
  readonly context: DomainContext
  readonly application: Application
  readonly log: readonly string[]
  /** The client_id of the consumer with this slug. */
  clientId(slug: Slug): string
  /** The address that the application sends a browser to. */
  authorizationUrl(slug: Slug, params?: { readonly [name: string]: string }): string
  close(): Promise<void>
}

type Slug = 'asks' | 'trusted'

export const SECRET = 'secret-of-the-consumer-0123456789'

export async function startLoginServer(options: LoginServerOptions = {}): Promise<LoginServer> {
  const application = await startApplication()
  const context = await makeContext(options)
  const log: string[] = []
  const server = await serve(context, log, options)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await applyAll(context, model(application.callback))
  for (const { email, password } of [ANN, BOB]) {
    const { token } = await createPasswordLink(context, email, 'test')
    await setPassword(context, token, password)
  }
  const ids = {
    asks: await clientIdOf(context, 'asks'),
    trusted: await clientIdOf(context, 'trusted'),
  }
  return {
    url,
    context,
    application,
    log,
    clientId: (slug) => ids[slug],
    authorizationUrl: (slug, params = {}) => authorizationUrl(url, ids[slug], application.callback, params),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await application.close()
      await context.database.close()
    },
  }
}

/** Another server of the same domain, with the same database and key. It remembers nothing that the first one does. */
export async function startAnother(
  server: LoginServer,
  options: Pick<LoginServerOptions, 'addPages'>,
): Promise<LoginServer> {
  const grants = new GrantKeeper(server.context.database)
  const other = await serve({ ...server.context, grants }, [], options)
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  return {
    ...server,
    url,
    async close() {
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
    },
  }
}

async function clientIdOf(context: DomainContext, slug: Slug): Promise<string> {
  const record = await findRecord(context, EVERYWHERE, 'applicationConsumers', slug)
  if (record === null) throw new Error(`there is no consumer ${slug}`)
  return identifierOf(record)
}

/** Two consumers: `asks` wants consent, `trusted` does not. */
function model(callback: string): object {
  const consumer = { secret: SECRET, grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'], redirectUris: [callback] }
  return {
    applicationConsumers: [
      {
        ...consumer,
        name: 'Heating Monitor',
        slug: 'asks',
        scopes: ['openid', 'email', 'model:read', 'setpoints:write'],
      },
      { ...consumer, name: 'Building Console', slug: 'trusted', noExplicitConsentRequired: true },
    ],
    users: [ANN, BOB].map(({ email, name }) => ({ email, name })),
  }
}

async function makeContext({
  allowedOrigins = [],
  hostNames = [],
  database: kind = ANY_DATABASE,
  now = () => new Date(),
}: LoginServerOptions): Promise<DomainContext> {
  const database = await kind.openMigrated()
  const domain = await database.transaction((sql) =>
    ensureDomain(sql, {
      uuid: crypto.randomUUID(),
      slug: 'building',
      name: 'Building',
      hostNames: ['127.0.0.1', ...hostNames],
    }),
  )
  const key = crypto.getRandomValues(new Uint8Array(32))
  return {
    database,
    domain,
    secrets: new SecretKeeper(key, now),
    key: new DataKey(key),
    external: externalProviders({ allowedOrigins, now }),
    grants: new GrantKeeper(database),
    actorName: 'test',
    now,
    newId: () => crypto.randomUUID(),
  }
}

function serve(
  context: DomainContext,
  log: string[],
  { baseUrl = null, addPages, limits }: LoginServerOptions,
): Promise<Server> {
  const write = (fields: object, message: string): void => {
    log.push(JSON.stringify({ message, ...fields }))
  }
  const changes = new ChangeSignals()
  const platform = {
    ...context,
    baseUrl,
    authenticate: bearerAuthenticator(context),
    findDomain: (host: string) => context.database.read((sql) => findDomainByHost(sql, host)),
    datapoints: new Datapoints({ ...context, isAlone: true, changes }),
    changes,
    checkDatabase: () => Promise.resolve(),
  }
  const { app } = createApp({
    lifecycle: new Lifecycle('ready'),
    logger: { info: write, error: write },
    platform: () => platform,
    ...(limits && { limits }),
    ...(addPages && { addPages }),
  })
  return listen((request, bindings) => app.fetch(request, bindings), { host: '127.0.0.1', port: 0 })
}

function authorizationUrl(
  url: string,
  clientId: string,
  callback: string,
  params: { readonly [name: string]: string },
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'openid',
    state: 'state-of-the-application',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...params,
  })
  return `${url}/authenticate?${query.toString()}`
}

/** The verifier of the challenge above, from RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

export interface Application {
  /** Its callback, on another host than the server, as for real applications. */
  readonly callback: string
  close(): Promise<void>
}

async function startApplication(): Promise<Application> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,"><h1>Application</h1>',
    )
  })
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    callback: `http://localhost:${port}/callback`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
