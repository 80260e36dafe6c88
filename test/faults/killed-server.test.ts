import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { DATA_PLACES, onDatabaseOf, SERVER_PROGRAM, startServerAt, type DataPlace } from '../support/data-place.ts'
import { acknowledging } from '../support/domain.ts'
import { operatorToken } from '../support/password-token.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { dumpTables } from '../support/table-dump.ts'
import { BEFORE, DOCUMENT } from './sample.ts'
import { isLong, runsOf } from '../support/runs.ts'

// The process of a server is killed in the middle of an apply that came over HTTP. FAULT_RUNS=N: at every statement,
// and N times at random, and the test says how many kills hit.

const RUNS = runsOf('FAULT_RUNS', { sample: 0, long: 10 })
const EVERY_STATEMENT = isLong || process.env['FAULT_RUNS'] !== undefined
const LONG = { timeout: EVERY_STATEMENT ? 3_600_000 : 120_000 }
const WATCH = fileURLToPath(new URL('./apply-watch.ts', import.meta.url))

/** Large enough for a kill at random to hit the middle. */
const MANY = Array.from({ length: 300 }, (_, index) => ({ code: `source-${index}` }))
const STATES: readonly [object, object] = [
  { ...BEFORE, dataSources: [] },
  { ...DOCUMENT, dataSources: MANY },
]

/** What an apply may write, and nothing else of the server does meanwhile. */
const TABLES = [
  'records',
  'record_references',
  'record_secrets',
  'record_drift',
  'applies',
  'apply_changes',
  'apply_secrets',
  'domains',
] as const

interface Request {
  readonly document: object
  readonly settings: Settings
  readonly plan: Plan
  readonly origin: { readonly applyId: string }
}

class Client {
  readonly server: ServerProcess
  readonly #token: string

  private constructor(server: ServerProcess, token: string) {
    this.server = server
    this.#token = token
  }

  static async start(place: DataPlace, env: NodeJS.ProcessEnv = {}): Promise<Client> {
    const server = await startServerAt(place, env, ['--import', WATCH, SERVER_PROGRAM])
    return new Client(server, await operatorToken(server.url, place.directory))
  }

  async graphql<Data>(query: string, variables: object): Promise<Data> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query, variables })
    const response = await fetch(`${this.server.url}/graphql`, { method: 'POST', headers, body })
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
    return data
  }

  async plan(document: object, settings: Settings): Promise<Plan> {
    const query = `query ($document: JSON!, $settings: JSON) { planImport(document: $document, settings: $settings) { json } }`
    return (await this.graphql<{ planImport: { json: Plan } }>(query, { document, settings })).planImport.json
  }

  /** What a client would send to bring the platform to this document. */
  async review(document: object): Promise<Request> {
    const settings = acknowledging(await this.plan(document, NO_SETTINGS))
    const plan = await this.plan(document, settings)
    return { document, settings, plan, origin: { applyId: randomUUID() } }
  }

  async apply(request: Request): Promise<unknown> {
    const query = `mutation ($document: JSON!, $settings: JSON, $plan: JSON!, $origin: ApplyOriginInput) {
      applyImport(document: $document, settings: $settings, plan: $plan, origin: $origin) { uuid recorded at planDigest summary }
    }`
    return (await this.graphql<{ applyImport: unknown }>(query, request)).applyImport
  }

  async past({ origin }: Request): Promise<unknown> {
    const query = `query ($uuid: ID!) { apply(uuid: $uuid) { uuid recorded at planDigest summary } }`
    return (await this.graphql<{ apply: unknown }>(query, { uuid: origin.applyId })).apply
  }
}

const reportsOf = ({ server }: Client) => [...server.written().matchAll(/^apply (\d+) (.*)$/gm)]
const isCommitted = (client: Client) => reportsOf(client).some(([, , text]) => text === 'is committed')

/** A killed PGlite takes seconds to come back; process-kills.test.ts kills the one that is in the process. */
const KINDS = DATA_PLACES.filter(({ name }) => name === 'PostgreSQL' || EVERY_STATEMENT)

describe.each(KINDS)('a server on $name that is killed in an apply', ({ make }) => {
  let place: DataPlace
  /** What an apply sends to its database, one after the other. */
  let statements: readonly string[]
  /** How long it takes. */
  let duration: number
  let states = STATES
  /** The next apply: reviewed, and not sent yet. */
  let request: Request

  beforeAll(async () => {
    place = await make()
    const client = await Client.start(place)
    // Forth and back, so that the one that is measured finds secrets, links and history as those that are killed.
    for (const state of [...states, states[0]]) await client.apply(await client.review(state))
    const reported = reportsOf(client).length
    request = await client.review(states[1])
    const started = performance.now()
    await client.apply(request)
    duration = performance.now() - started
    statements = reportsOf(client)
      .slice(reported)
      .map(([, , text = '']) => text)
    await reviewNext(client)
    await client.server.stop()
  })
  afterAll(() => place.remove())

  async function reviewNext(client: Client): Promise<void> {
    states = [states[1], states[0]]
    request = await client.review(states[1])
  }

  const dump = () =>
    onDatabaseOf(place, async (database) => {
      // PostgreSQL goes on with what it was sent until it notices; the lock is free when it has.
      for (const { id } of await database.rows({ id: INT8 }, 'select domain_id as id from domain_state'))
        await database.transaction((sql) => sql.query('select from domain_state where domain_id = $1 for update', [id]))
      const tables = await dumpTables(database)
      return Object.fromEntries(TABLES.map((name) => [name, tables[name]]))
    })

  /** Sends the apply to a server that stops at a statement, and kills it there. */
  async function killAt(number: number): Promise<'in the transaction' | 'after it'> {
    const client = await Client.start(place, { PAUSE_AT: String(number) })
    const answer = client.apply(request).catch(() => 'none')
    while (!client.server.written().includes('apply paused')) await client.server.said()
    await client.server.kill()
    expect(await answer).toBe('none')
    return isCommitted(client) ? 'after it' : 'in the transaction'
  }

  /** Sent again it is made, or answered with what was made, which is there once; and then there is nothing to do. */
  async function sendAgain(): Promise<'was made' | 'was not made'> {
    const client = await Client.start(place)
    const past = await client.past(request)
    const answer = await client.apply(request)
    expect(answer).toMatchObject({ uuid: request.origin.applyId, planDigest: request.plan.digest })
    expect(answer).toStrictEqual(past ?? (await client.past(request)))
    expect((await client.plan(request.document, request.settings)).outcome).toBe('no-changes')
    await reviewNext(client)
    await client.server.stop()
    return past === null ? 'was not made' : 'was made'
  }

  it('leaves nothing of it before the commit, whichever statement is next, and all of it after', LONG, async () => {
    const commit = statements.indexOf('COMMIT') + 1
    const writes = statements.flatMap((text, index) => (/^(insert|update|delete|with)/.test(text) ? [index + 1] : []))
    expect(writes.length).toBeGreaterThan(8)
    // failing-statements.test.ts fails an apply at each of the others.
    const numbers = EVERY_STATEMENT ? Array.from({ length: commit }, (_, index) => index + 1) : [commit]
    const before = await dump()
    for (const number of numbers) {
      expect(await killAt(number)).toBe('in the transaction')
      expect(await dump(), `killed at statement ${number}`).toStrictEqual(before)
    }
    told(`${numbers.length} of ${numbers.length} kills hit inside of the transaction, of ${commit} statements`)
    expect(await killAt(commit + 1)).toBe('after it')
    const after = await dump()
    expect(after).not.toStrictEqual(before)
    expect(await sendAgain()).toBe('was made')
    expect(await dump()).toStrictEqual(after)
  })

  it.runIf(EVERY_STATEMENT)(`has made it as a whole or not at all, killed at ${RUNS} moments`, LONG, async () => {
    let hits = 0
    for (let run = 0; run < RUNS; run += 1) {
      const before = await dump()
      if (await killSometime()) hits += 1
      const isSame = JSON.stringify(await dump()) === JSON.stringify(before)
      expect(await sendAgain()).toBe(isSame ? 'was not made' : 'was made')
    }
    told(`${hits} of ${RUNS} kills at random hit inside of the transaction`)
  })

  /** From when the apply begins until a little later than it takes. Whether it was in its transaction. */
  async function killSometime(): Promise<boolean> {
    const client = await Client.start(place)
    const sending = client.apply(request).catch(() => null)
    while (reportsOf(client).length === 0) await client.server.said()
    await wait(Math.random() * duration * 0.8)
    await client.server.kill()
    await sending
    return !isCommitted(client)
  }

  const told = (text: string) => process.stderr.write(`${place.name}: ${text}\n`)
})
