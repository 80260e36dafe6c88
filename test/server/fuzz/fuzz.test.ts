import * as fc from 'fast-check'
import { buildSchema } from 'graphql'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runsOf } from '../../support/runs.ts'
import { undescribed } from '../described-answers.ts'
import { context, server, useServer } from '../one-server.ts'
import type { Answer, Call, GraphqlAnswer } from '../test-server.ts'
import { strangeGraphql, strangeRest } from './answers.ts'
import { GraphqlOperations, rootFields, type Query } from './any-graphql.ts'
import type { Schema } from './any-json.ts'
import { RestRequests, restOperations, type OpenApi, type Operation } from './any-rest.ts'
import { Asker, makeWorld } from './fuzz-world.ts'

// Every operation that the GraphQL schema and the OpenAPI document declare gets valid and broken input, and must answer as
// these and the page of errors say.

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
const SCHEMA = buildSchema(read('generated/schema.graphql'))
const OPENAPI = JSON.parse(read('generated/openapi.json')) as OpenApi
const IMPORT = JSON.parse(read('schemas/import-document.schema.json')) as Schema

/** Operations that take something away come last, so that the others find something. */
const FIELDS = rootFields(SCHEMA).toSorted(([, one], [, other]) => Number(takesAway(one)) - Number(takesAway(other)))
const OPERATIONS = restOperations(OPENAPI)

/** The requests of each kind for an operation: valid ones, and as many broken ones. */
const RUNS = runsOf('FUZZ_RUNS', { sample: 1, long: 45 })
const LONG = { timeout: 180_000 + RUNS * 5_000 }

let asker: Asker
let graphql: GraphqlOperations
let rest: RestRequests

/** How often each operation was asked, and how often it succeeded. */
const asked = new Map<string, number>()
const succeeded = new Map<string, number>()
const statuses = new Map<number, number>()

useServer()
beforeAll(async () => {
  const known = await makeWorld(context, server)
  asker = new Asker(server)
  graphql = new GraphqlOperations(SCHEMA, known)
  rest = new RestRequests(OPENAPI, IMPORT, known)
})
afterAll(() => asker.close())

function takesAway(name: string): boolean {
  return /^(?:delete|end|revoke|unbind|clear)/.test(name)
}

function note(operation: string, { status }: Answer, isSuccess: boolean): void {
  increment(asked, operation)
  increment(statuses, status)
  if (isSuccess) increment(succeeded, operation)
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Returns the first request whose answer is strange, or after which the log has an error that nobody foresaw. */
async function failureOf<Request>(
  requests: fc.Arbitrary<Request>,
  ask: (request: Request) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const property = fc.asyncProperty(requests, async (request) => {
    const before = server.log.length
    const strange = await ask(request)
    const unexpected = server.log.slice(before).filter((line) => line.includes('unexpected error'))
    if (strange.length + unexpected.length > 0) throw new Error([...strange, ...unexpected].join('\n'))
  })
  // A request changes what the next one meets, so smaller requests would show nothing.
  const details = await fc.check(property, { numRuns: RUNS, endOnFailure: true })
  return details.failed ? `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}` : undefined
}

async function askGraphql(name: string, accept: string, query: Query): Promise<readonly string[]> {
  const answer = await asker.ask({ headers: { accept }, body: JSON.stringify(query) })
  const { data, errors } = (answer.json ?? {}) as GraphqlAnswer
  note(name, answer, answer.status === 200 && errors === undefined && (data != null || answer.text === ''))
  return strangeGraphql(answer)
}

async function askRest(name: string, { parameters = [] }: Operation, call: Call): Promise<readonly string[]> {
  const answer = await asker.ask(call)
  note(name, answer, answer.status < 300)
  // An operation without parameters ignores what follows the path.
  const hasQuery = parameters.some((one) => one.in === 'query')
  const path = hasQuery ? call.path : call.path?.split('?')[0]
  const exchange = { method: 'GET', headers: {}, body: undefined, ...call, path: path ?? '', answer }
  return [...undescribed(exchange), ...strangeRest(answer)]
}

const ACCEPTED = ['application/json', 'application/graphql-response+json', '*/*']

// REST comes first: the mutations of GraphQL delete what it asks for.
describe('REST answers as documented', () => {
  it.each(OPERATIONS)('%s', LONG, async (name, declared) => {
    for (const calls of [rest.valid(name, declared), rest.broken(name, declared)])
      expect(await failureOf(calls, (call) => askRest(name, declared, call))).toBeUndefined()
  })

  it('at paths and with methods that do not exist', LONG, async () => {
    const method = fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS')
    const start = fc.constantFrom('/rest/v1/', '/rest/', '/graphql/', '/')
    const path = fc.tuple(start, fc.webPath()).map(([base, more]) => base + more)
    const failure = await failureOf(fc.record({ method, path }), async (call) => strangeRest(await asker.ask(call)))
    expect(failure).toBeUndefined()
  })
})

describe('GraphQL answers as documented', () => {
  it.each(FIELDS)('%s %s', LONG, async (root, field, declared) => {
    const name = `${root} ${field}`
    const accepts = fc.constantFrom(...(root === 'subscription' ? ['text/event-stream'] : ACCEPTED))
    const wrong = fc.oneof({ arbitrary: accepts, weight: 8 }, fc.constantFrom('text/html', 'application/json;q=0', ''))
    const [valid, broken] = [graphql.valid(root, declared), graphql.broken(root, declared)]
    expect(await failureOf(fc.tuple(accepts, valid), (one) => askGraphql(name, ...one))).toBeUndefined()
    expect(await failureOf(fc.tuple(wrong, broken), (one) => askGraphql(name, ...one))).toBeUndefined()
  })

  it('to bodies that are no request', LONG, async () => {
    const like = fc.json().map((text) => `{"query": ${text}, "variables": ${text}}`)
    const bodies = fc.oneof(fc.string(), fc.json(), like)
    const failure = await failureOf(bodies, async (body) => strangeGraphql(await asker.ask({ body })))
    expect(failure).toBeUndefined()
  })
})

it('has asked every operation, and many of them with success', () => {
  const all = [...FIELDS.map(([root, name]) => `${root} ${name}`), ...OPERATIONS.map(([name]) => name)]
  expect(all.filter((name) => (asked.get(name) ?? 0) < 2 * RUNS)).toStrictEqual([])
  const idle = all.filter((name) => !succeeded.has(name))
  if (RUNS > 1) console.log({ asked: sum(asked), succeeded: sum(succeeded), statuses, idle })
  expect(idle.length).toBeLessThan(all.length * (RUNS > 1 ? 0.35 : 0.6))
})

function sum(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((total, one) => total + one, 0)
}
