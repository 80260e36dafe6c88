import { afterAll, afterEach, beforeAll } from 'vitest'
import { INT4 } from '../../src/db/columns.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { isLong } from '../support/runs.ts'
import { contextOf, startTestServer, type Answer, type Call, type TestServer } from './test-server.ts'
import { REST_RIGHTS } from './rest-rights.ts'

/** Where batches are sent to. */
export const BATCH_PATHS = REST_RIGHTS.map(([operation]) => operation).flatMap(
  (operation) => /^POST (.+\/add)$/.exec(operation)?.[1] ?? [],
)

export type Body = string | Uint8Array

const CHARACTERISTICS = {
  level: { dataType: 'FLOAT' },
  word: { dataType: 'STRING' },
  // Every character of a text takes hundreds of steps.
  slow: { dataType: 'JSON', schema: { pattern: '^(?:(?:a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a)*|b){1,15}$' } },
}

/** A server with a component that has some characteristics. */
export interface MalformedServer extends TestServer {
  readonly context: DomainContext
  readonly site: AnySite
  /** What was not answered by one of these statuses, and as a problem (RFC 9457) where it is no success. */
  exceptions(path: string, bodies: Iterable<Body>, statuses: readonly number[], call?: Call): Promise<unknown[]>
  storedRows(): Promise<number>
  /** Fails where something unexpected was logged. */
  clear(): Promise<void>
}

async function startMalformedServer(): Promise<MalformedServer> {
  const server = await startTestServer(await ANY_DATABASE.openMigrated())
  const context = contextOf(server)
  const site = await makeAnySite(context, CHARACTERISTICS)
  return {
    ...server,
    context,
    site,
    async exceptions(path, bodies, statuses, call) {
      const wrong: unknown[] = []
      for (const body of sampleFor(path, [...bodies])) {
        const answer = await server.call({ path, body, ...call })
        if (!statuses.includes(answer.status) || !isAnswer(answer))
          wrong.push([shown(body), answer.status, answer.text])
      }
      return wrong
    },
    async storedRows() {
      const [row] = await server.database.rows(
        { count: INT4 },
        `select ((select count(*) from datapoints_hot) + (select count(*) from datapoint_blocks) + (select count(*) from datapoint_chunks)
          + (select count(*) from setpoints))::int as count`,
      )
      return row?.count ?? -1
    },
    async clear() {
      const unexpected = server.log.filter((line) => line.includes('unexpected error'))
      if (unexpected.length > 0) throw new Error(unexpected.join('\n'))
      await server.database.script('truncate datapoint_chunks, datapoint_blocks, datapoints_hot; delete from setpoints')
    },
  }
}

/** All batches are read by the same code, so that in `npm test` a few of many bodies show that each path asks it. */
function sampleFor(path: string, bodies: readonly Body[]): readonly Body[] {
  const isWhole = isLong || path === BATCH_PATHS[0] || bodies.length < 20
  return isWhole ? bodies : bodies.filter((_, at) => at % 4 === 0)
}

function isAnswer({ status: sent, headers, json, text }: Answer): boolean {
  if (sent === 201) return text === ''
  const { status, detail, code, traceId } = (json ?? {}) as { readonly [field: string]: unknown }
  const isWhole =
    status === sent && traceId === headers['x-trace-id'] && typeof detail === 'string' && typeof code === 'string'
  return isWhole && headers['content-type'] === 'application/problem+json'
}

function shown(body: Body): string {
  return typeof body === 'string' ? body.slice(0, 80) : Buffer.from(body).toString('hex', 0, 40)
}

export let server: MalformedServer

/** Starts a server for all tests of the file, each of which fails where something unexpected was logged. */
export function useMalformedServer(): void {
  beforeAll(async () => {
    server = await startMalformedServer()
  })
  afterAll(() => server.close())
  afterEach(() => server.clear())
}
