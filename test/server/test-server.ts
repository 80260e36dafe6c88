import { randomBytes, randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import { expect } from 'vitest'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Database } from '../../src/db/sql.ts'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import { GrantKeeper } from '../../src/platform/access/grants/grant-keeper.ts'
import { externalProviders } from '../../src/platform/access/delegated/provider/external-providers.ts'
import { ChangeSignals } from '../../src/platform/change-signals.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { DataKey } from '../../src/platform/data-key.ts'
import { SecretKeeper } from '../../src/platform/secret-keeper.ts'
import { ensureDomain, findDomainByHost, type Domain } from '../../src/store/domains.ts'
import { createApp } from '../../src/server/app.ts'
import { accessContext, type AccessParts } from '../../src/server/request-context.ts'
import { bearerAuthenticator } from '../../src/server/authenticate.ts'
import { Lifecycle } from '../../src/server/lifecycle.ts'
import type { Limits } from '../../src/server/requests/limits.ts'
import { addressOf, listen } from '../../src/server/process/listen.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { Logger } from '../../src/server/logger.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { validPlan } from '../support/valid-plan.ts'
import { undescribed, unexplained } from './described-answers.ts'

// A server as it runs for others: the same app, on a real socket and a real database.

export const TOKEN = 'test-token-with-enough-characters'

/** The two tenants of every test server, by the host that a request names. */
export const HOSTS = { first: 'first.example', second: 'second.example' } as const

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Parsed; undefined if it is no JSON. */
  readonly json: unknown
}

/** What no answer may lack. */
export function expectHeadersOfEveryAnswer({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  expect(headers['x-trace-id']).toMatch(/^[0-9a-f]{32}$/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['cache-control']).toMatch(/^no-store\b/)
}

export interface Call {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  /** Null: none. */
  readonly authorization?: string | null
  /** Of several values, each is a header of its own. */
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  readonly body?: string | Uint8Array
}

export interface GraphqlAnswer {
  readonly data?: { readonly [field: string]: unknown } | null
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly unknown[]
    readonly extensions: { readonly [name: string]: unknown }
  }[]
}

export interface TestServer {
  readonly url: string
  readonly database: Database
  readonly domains: readonly Domain[]
  /** Of each domain: for giving tokens out. */
  readonly access: readonly AccessContext[]
  readonly lifecycle: Lifecycle
  readonly datapoints: Datapoints
  /** All that was logged, one text for each line. */
  readonly log: readonly string[]
  call(call?: Call): Promise<Answer>
  graphql(query: string, variables?: object, host?: string): Promise<GraphqlAnswer>
  /** The answer's data; fails where there are errors. */
  data<Data = { readonly [field: string]: unknown }>(query: string, variables?: object, host?: string): Promise<Data>
  close(): Promise<void>
}

export async function startTestServer(database: Database, limits?: Partial<Limits>): Promise<TestServer> {
  const parts = accessParts(database)
  const domains = await makeDomains(parts)
  const lifecycle = new Lifecycle('ready')
  const log: string[] = []
  const changes = new ChangeSignals()
  const platform = {
    ...parts,
    baseUrl: null,
    datapoints: new Datapoints({ ...parts, isAlone: true, changes, limits: { leastOfChunk: 1 } }),
    changes,
    authenticate: bearerAuthenticator(parts),
    findDomain: (host: string) => database.read((sql) => findDomainByHost(sql, host)),
    checkDatabase: async () => {
      await database.read((sql) => findDomainByHost(sql, HOSTS.first))
    },
  }
  const { app, direct } = createApp({
    lifecycle,
    logger: logInto(log),
    platform: () => platform,
    ...(limits && { limits }),
  })
  const server = await listen((request, bindings) => app.fetch(request, bindings), {
    host: '127.0.0.1',
    port: 0,
    direct,
  })
  return {
    url: addressOf(server),
    database,
    domains,
    access: domains.map((domain) => accessContext(parts, domain)),
    lifecycle,
    datapoints: platform.datapoints,
    log,
    ...callers(server),
    close: async () => {
      await platform.datapoints.close()
      await close(server, database)
    },
  }
}

/** The first of the server's domains, to call the platform's operations with. */
export function contextOf({ access: [access] }: Pick<TestServer, 'access'>): DomainContext {
  if (access === undefined) throw new Error('there is no domain')
  return { ...access, actorName: 'tester' }
}

const now = () => new Date()

function accessParts(database: Database): AccessParts {
  const key = randomBytes(32)
  const external = externalProviders({ allowedOrigins: [], now })
  return {
    database,
    secrets: new SecretKeeper(key, now),
    key: new DataKey(key),
    external,
    grants: new GrantKeeper(database),
    now,
    newId: randomUUID,
  }
}

/** In each somebody has `TOKEN`, a real access token that allows everything. */
function makeDomains(parts: AccessParts): Promise<Domain[]> {
  return Promise.all(
    Object.entries(HOSTS).map(async ([slug, host]) => {
      const hostNames = [host, ...(slug === 'first' ? ['127.0.0.1'] : [])]
      const domain = await parts.database.transaction((sql) =>
        ensureDomain(sql, { uuid: randomUUID(), slug, name: `The ${slug}`, hostNames }),
      )
      const context = accessContext(parts, domain)
      await giveToken(context, await makeMachine(context, 'operator'), { token: TOKEN })
      return domain
    }),
  )
}

function logInto(lines: string[]): Logger {
  const write = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ message, ...fields }))
  }
  return { info: write, error: write }
}

function callers(server: Server): Pick<TestServer, 'call' | 'graphql' | 'data'> {
  const call = (options: Call = {}) => send(addressOf(server), options)
  const graphql = async (query: string, variables: object = {}, host: string = HOSTS.first) => {
    const body = JSON.stringify({ query, variables })
    const answer = (await call({ body, host })).json as GraphqlAnswer
    for (const field of ['planImport', 'rollbackPlan']) checkPlan(answer.data?.[field])
    return answer
  }
  return {
    call,
    graphql,
    async data<Data>(query: string, variables?: object, host?: string) {
      const { data, errors } = await graphql(query, variables, host)
      if (errors !== undefined) throw new Error(JSON.stringify(errors, null, 2))
      return data as Data
    },
  }
}

function checkPlan(found: unknown): void {
  const { json } = (found ?? {}) as { readonly json?: Plan }
  if (json !== undefined) validPlan(json)
}

/** By node:http, since `fetch` does not let a Host header be chosen. */
function send(
  url: string,
  {
    method = 'POST',
    path = '/graphql',
    host = HOSTS.first,
    authorization = `Bearer ${TOKEN}`,
    headers = {},
    body,
  }: Call,
): Promise<Answer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const signed = authorization === null ? {} : { authorization }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      new URL(path, url),
      { method, agent: false, headers: { host, ...json, ...signed, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const answer = { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) }
          const problems = [...undescribed({ method, path, headers, body, answer }), ...unexplained(answer)]
          if (problems.length === 0) resolve(answer)
          else reject(new Error(`not as described: ${problems.join('; ')}`))
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function close(server: Server, database: Database): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await database.close()
}
