import { afterAll, beforeAll } from 'vitest'
import { ChangeSignals } from '../../src/platform/change-signals.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { createApp } from '../../src/server/app.ts'
import { operatorAuthenticator } from '../../src/server/authenticate.ts'
import { Lifecycle } from '../../src/server/lifecycle.ts'
import { ERRORS_ONLY } from '../../src/server/logger.ts'
import type { ServerParts } from '../../src/shell/io.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { emptyDomain, makeDomain } from '../support/domain.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'

const TOKEN = 'token-of-the-embedded-platform'

export interface RealPlatform {
  readonly context: DomainContext
  /** For `holdfast(…, { parts })`: the app as `openEmbedded` makes it, on a database that outlives the command. */
  readonly parts: Partial<ServerParts>
  /** A mutation or query as somebody beside the command line sends it; fails where there are errors. */
  graphql(query: string, variables?: object): Promise<unknown>
  /** What a device sends; fails where it is refused. */
  send(path: string, elements: readonly object[]): Promise<void>
  /** As on the first day. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** The whole platform in this process. Only what a first start costs is left out: its database is a copy. */
export async function openRealPlatform(): Promise<RealPlatform> {
  const context = await makeDomain(await ANY_DATABASE.openMigrated())
  const { database, domain } = context
  const changes = new ChangeSignals()
  const platform = {
    ...context,
    baseUrl: null,
    authenticate: operatorAuthenticator(TOKEN),
    findDomain: () => Promise.resolve(domain),
    datapoints: new Datapoints({ ...context, isAlone: true, changes }),
    changes,
    checkDatabase: () => Promise.resolve(),
  }
  const { app } = createApp({ lifecycle: new Lifecycle('ready'), logger: ERRORS_ONLY, platform: () => platform })
  const fetch = async (request: Request) => app.fetch(request, {})
  return {
    context,
    parts: { openEmbedded: () => Promise.resolve({ fetch, token: TOKEN, close: () => Promise.resolve() }) },
    graphql: (query, variables = {}) => send(fetch, { query, variables }),
    send: (path, elements) => sendElements(fetch, path, elements),
    empty: () => emptyDomain(context),
    close: () => database.close(),
  }
}

type Fetch = (request: Request) => Promise<Response>

function post(fetch: Fetch, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  return fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function sendElements(fetch: Fetch, path: string, elements: readonly object[]): Promise<void> {
  const answer = await post(fetch, path, elements)
  if (answer.status !== 201) throw new Error(await answer.text())
}

async function send(fetch: Fetch, body: object): Promise<unknown> {
  const answer = (await (await post(fetch, '/graphql', body)).json()) as { data?: unknown; errors?: unknown }
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors))
  return answer.data
}

export let platform: RealPlatform

/** Opens one for all tests of the file. */
export function usePlatform(): void {
  beforeAll(async () => {
    platform = await openRealPlatform()
  })
  afterAll(() => platform.close())
}
