import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Plan } from '../../src/plan/plan.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { makeSite, type Site } from '../support/site.ts'
import { contextOf, startTestServer, type Answer, type TestServer } from './test-server.ts'

// A newcomer who follows a request opens these files, so each request has a cap. A change that raises a cap says why in the
// row. The caps of functions leave about 2 %.

const CAPS: { readonly [request: string]: { readonly files: number; readonly functions: number } } = {
  // One more for each: the answer that may be compressed (docs/decisions/0080). Routes also ask for allowed origins, and
  // unread answers are counted (middleware/unread-answers.ts).
  // 84: batches wait apart for a node that is away (ingest/away-domains.ts).
  // One more for each: a statement runs again if its domain moved meanwhile (db/postgres/run-again.ts). Three or four more
  // for each: what is kept of domains is limited (lib/recently-used.ts), and work that succeeds ends its failures
  // (server/failure-log.ts).
  // 87: requests of one connection wait for each other (requests/in-turn.ts).
  'a warm datapoint': { files: 87, functions: 368 },
  // 124: times are scalars, whose variables may be texts (graphql/scalars.ts, requests/text-variables.ts). An answer with
  // large errors keeps its data (requests/write-result.ts). Each read leaves out deleted points (chunks/erased.ts,
  // store/datapoints/erased-ranges.ts). Caches grow with their entries (lib/recently-used.ts). Lists without `first` are
  // counted (graphql/counted-lists.ts). A read takes the hot buffers of its domain (docs/decisions/0084).
  'a page of datapoints by GraphQL': { files: 127, functions: 560 },
  // 163: upkeep goes on domain by domain (store/across-domains.ts).
  'an apply by REST': { files: 163, functions: 784 },
  // 87: the same caches and answers. A query ends when its client has left (requests/read-request.ts).
  'a list of systems by GraphQL': { files: 89, functions: 387 },
}

const SOURCE = new URL('../../src/', import.meta.url).href

describe.each(SAMPLED_DATABASES)('the files of a request on $name', ({ openMigrated }) => {
  let server: TestServer
  let site: Site
  beforeAll(async () => {
    server = await startTestServer(await openMigrated())
    site = await makeSite(contextOf(server))
  })
  afterAll(() => server.close())

  let sent = 0
  const apply = async () => {
    const body = JSON.stringify({
      dataSources: Array.from({ length: 5 }, () => ({ code: `s-${(sent += 1)}`, name: 'S' })),
    })
    const { digest } = (await server.call({ path: '/rest/v1/import', body })).json as Plan
    return () => server.call({ path: `/rest/v1/import?apply=${digest}`, body })
  }
  /** The requests; a function prepares one, and returns what sends it. */
  const requests: { readonly [name in keyof typeof CAPS]: () => Promise<() => Promise<Answer>> } = {
    'a warm datapoint': async () => () =>
      server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify([site.point('temperature', (sent += 1))]) }),
    'a page of datapoints by GraphQL': async () => () =>
      server.call({
        path: '/graphql',
        body: JSON.stringify({
          query: `{ datapoints(component: "${site.componentUuids[0]}", service: "room", characteristic: "temperature", from: "2020-01-01T00:00:00Z") { points { value timestamp } } }`,
        }),
      }),
    'an apply by REST': apply,
    'a list of systems by GraphQL': async () => () =>
      server.call({ path: '/graphql', body: JSON.stringify({ query: '{ systems { nodes { uuid name } } }' }) }),
  }

  test.each(Object.keys(CAPS))('%s stays below its cap', async (name) => {
    const prepare = requests[name]
    if (prepare === undefined) throw new Error(`nobody sends ${name}`)
    await (
      await prepare()
    )()
    const called = await calledByEach(5, prepare)
    expect(new Set(called.map(([file]) => file)).size).toBeLessThanOrEqual(CAPS[name]?.files ?? 0)
    expect(called.length).toBeLessThanOrEqual(CAPS[name]?.functions ?? 0)
  })
})

type Called = readonly (readonly [file: string, name: string])[]

/** What each of some requests calls. A timer may run beside one of them, or upkeep. */
async function calledByEach(times: number, prepare: () => Promise<() => Promise<Answer>>): Promise<Called> {
  const counts = new Map<string, number>()
  let called: Called = []
  for (let time = 0; time < times; time += 1) {
    const { answer, ...found } = await covered(await prepare())
    expect(answer.status).toBeLessThan(300)
    expect(answer.text).not.toContain('"errors"')
    called = found.called
    for (const one of called) counts.set(one.join(' '), (counts.get(one.join(' ')) ?? 0) + 1)
  }
  return called.filter((one) => counts.get(one.join(' ')) === times)
}

/** Carries out some work, and finds the functions of `src/` that were called meanwhile, by their places. */
async function covered(work: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly called: Called }> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const answer = await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const called = result
      .filter(({ url }) => url.startsWith(SOURCE))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ ranges: [range] }) => (range?.count ?? 0) > 0)
          .map(({ functionName, ranges: [range] }) => [url, `${functionName} ${range?.startOffset}`] as const),
      )
    return { answer, called }
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}
