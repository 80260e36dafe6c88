import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { characteristic } from '../reconcile/sample.ts'
import { holdfast, type Outcome } from '../reconcile/run-command.ts'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { CanaryDetector, makeCanary } from '../support/canaries.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { operatorToken } from '../support/password-token.ts'
import { dumpTables } from '../support/table-dump.ts'
import { freshClone, removeClone } from './fresh-clone.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from './server-process.ts'

// Secrets are put in by every door, and looked for at every other one.

const BOOTSTRAP = {
  HOLDFAST_BOOTSTRAP_SECRET: 'bootstrap-secret-of-the-canary-test',
  HOLDFAST_BOOTSTRAP_PASSWORD: 'bootstrap password of the canary test',
}
// A client secret has no characters beyond ASCII: no client could send them by Basic.
const CANARIES = ['first secret', 'first password', 'second secret', 'second password'].map((name) =>
  makeCanary(name, { ascii: name.endsWith('secret') }),
)
const [CONSUMER = '', USER = '', CONSUMER_AFTER = '', USER_AFTER = ''] = CANARIES.map(({ text }) => text)

/** The places that hold a secret, in whatever form. */
function findSecrets(places: { readonly [place: string]: string }): string[] {
  return Object.entries(places).flatMap(([place, text]) => detector.findIn(text).map((found) => `${place}: ${found}`))
}

let clone: string
let database: PostgresDatabase
let server: ServerProcess
/** An access token of the operator. */
let token: string
let detector: CanaryDetector
/** Every answer of the server, to commands and to what is sent by hand. */
const answers: string[] = []

beforeAll(async () => {
  clone = freshClone()
  database = await createPostgresDatabase()
  server = await startServer(clone, {
    DATABASE_URL: database.url,
    HOLDFAST_KEY: Buffer.alloc(32, 9).toString('base64'),
    ...BOOTSTRAP,
  })
  token = await operatorToken(server.url, join(clone, '.holdfast'))
  const ofOperator = Object.entries({ ...BOOTSTRAP, token }).map(([name, text]) => ({ name, text }))
  detector = new CanaryDetector([...CANARIES, ...ofOperator])
})
afterAll(async () => {
  await server.kill()
  await database.drop()
  await removeClone(clone)
})

async function recordingFetch(request: Request): Promise<Response> {
  const response = await fetch(request)
  const headers = JSON.stringify([...response.headers])
  answers.push(`${headers}\n${await response.clone().text()}`)
  return response
}

function send(body: string, headers: { readonly [name: string]: string } = {}): Promise<Response> {
  const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
  return recordingFetch(new Request(`${server.url}/graphql`, { method: 'POST', headers: all, body }))
}

function graphql(query: string, variables: object = {}): Promise<Response> {
  return send(JSON.stringify({ query, variables }))
}

/** Runs commands one after the other, and gives all that they wrote. */
async function runAll(cwd: string, lines: readonly string[], env: { [name: string]: string }): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const line of lines) {
    const words = `${line} --url ${server.url}`
    outcomes.push(await holdfast(words, { cwd, env: { HOLDFAST_TOKEN: token, ...env }, fetch: recordingFetch }))
  }
  return outcomes
}

const CONSUMER_RECORD = { name: 'Portal', slug: 'portal', secret: '${env:PORTAL}', grantTypes: ['PASSWORD'] }
const MODELS = JSON.stringify({
  applicationConsumers: [CONSUMER_RECORD],
  machineUsers: [{ username: 'gateway', password: '${env:GATEWAY}' }],
  characteristics: [characteristic('a')],
})

/** New secrets are allowed by the digest that the plan shows. */
function allowIn(outcome: Outcome | undefined): string {
  return /--allow widens-access:sha256:\w+/.exec(outcome?.stdout ?? '')?.[0] ?? ''
}

function written(outcomes: readonly Outcome[]): { [place: string]: string } {
  return Object.fromEntries(outcomes.map(({ stdout, stderr }, index) => [`command ${index}`, stdout + stderr]))
}

function filesBelow(cwd: string): { [place: string]: string } {
  const paths = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(paths.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]))
}

const EVERYWHERE = ['text', 'json', 'markdown'].map((format) => `plan --format ${format}`)

describe('secrets that are used as they are meant to be', () => {
  it('are in no output, file, answer, log or table', async () => {
    const cwd = workspace({ 'models/a.json': MODELS })
    const before = { PORTAL: CONSUMER, GATEWAY: USER }
    const after = { PORTAL: CONSUMER_AFTER, GATEWAY: USER_AFTER }
    const first = await runAll(cwd, [...EVERYWHERE, 'apply --yes', 'plan --detailed-exitcode'], before)
    const planned = await runAll(cwd, [...EVERYWHERE, 'plan --out plan.json'], after)
    const applied = await runAll(cwd, [`apply plan.json --format json ${allowIn(planned[0])}`], after)
    const history = await runAll(cwd, ['history', 'history --format json', 'export', 'export --out exported'], before)
    const [blocked] = await runAll(cwd, ['rollback --yes'], before)
    expect(blocked?.code).toBe(1)
    const undone = await runAll(cwd, [`rollback --yes ${allowIn(blocked)}`, 'plan'], before)
    const outcomes = [...first, ...planned, ...applied, ...history, ...undone]
    // All of them succeed, so that what is looked at is what a user sees; and the secrets did arrive.
    expect(outcomes.map(({ code, stderr }) => [code, stderr.replace(/^The plan is in .*\n/, '')])).toEqual(
      outcomes.map(() => [0, '']),
    )
    expect(planned[0]?.stdout).toContain('(secret, changed)')
    expect(undone.at(-1)?.stdout).toMatch(/^No changes on \S+\. /)
    const all = blocked === undefined ? outcomes : [...outcomes, blocked]
    expect(findSecrets({ ...written(all), ...filesBelow(cwd) })).toEqual([])
  })

  it('are not told where a command fails', async () => {
    const env = { PORTAL: CONSUMER, GATEWAY: USER }
    const cwd = workspace({ 'models/a.json': MODELS })
    writeFiles(cwd, { 'models/a.json': MODELS.replace('"a"', '"b"') })
    await runAll(cwd, ['plan --out stale.json'], { PORTAL: CONSUMER_AFTER, GATEWAY: USER_AFTER })
    const edit = await graphql(
      'mutation Edit($input: MachineUserPatch!) { updateMachineUser(username: "gateway", input: $input) { uuid } }',
      { input: { status: 'DEACTIVATED' } },
    )
    expect(await edit.json()).not.toHaveProperty('errors')
    const stale = await runAll(cwd, ['apply stale.json', 'apply stale.json --format json'], {
      PORTAL: CONSUMER_AFTER,
      GATEWAY: USER_AFTER,
    })
    writeFiles(cwd, { 'models/a.json': '{"applicationConsumers": [], "machineUsers": []}' })
    const blocked = await runAll(cwd, ['apply --yes', 'apply --yes --format json'], env)
    const outcomes = [...stale, ...blocked]
    expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 1))
    expect(findSecrets({ ...written(outcomes), ...filesBelow(cwd) })).toEqual([])
  })
})

describe('secrets that stand where they should not', () => {
  it.each([
    ['written out', { applicationConsumers: [{ ...CONSUMER_RECORD, secret: CONSUMER }] }],
    ['of a wrong type', { machineUsers: [{ username: 'gateway', password: [USER] }] }],
    ['in an object', { applicationConsumers: [{ ...CONSUMER_RECORD, secret: { value: CONSUMER } }] }],
    [
      'twice',
      {
        machineUsers: [
          { username: 'g', password: USER },
          { username: 'g', password: USER_AFTER },
        ],
      },
    ],
  ])('in a file, %s', async (_, document) => {
    for (const file of ['models/a.json', 'models/a.yaml']) {
      const cwd = workspace({ [file]: JSON.stringify(document) })
      const outcomes = [await holdfast('validate', { cwd }), ...(await runAll(cwd, ['plan', 'plan --format json'], {}))]
      expect(findSecrets(written(outcomes))).toEqual([])
    }
  })

  it.each([
    [
      'YAML',
      'models/a.yaml',
      `machineUsers:\n  - username: g\n    password: ${JSON.stringify(USER).slice(0, -1)}\n  - x: [\n`,
    ],
    ['JSON', 'models/a.json', `{"machineUsers": [{"username": "g", "password": ${JSON.stringify(USER)}]}`],
  ])('in %s that cannot be read', async (_, file, text) => {
    const outcome = await holdfast('validate', { cwd: workspace({ [file]: text }) })
    expect(outcome.code).toBe(1)
    expect(findSecrets(written([outcome]))).toEqual([])
  })

  const CREATE = 'mutation Create($input: MachineUserInput!) { createMachineUser(input: $input) { uuid } }'
  it.each([
    ['a body that is no JSON', () => send(`{"query": "x", "variables": {"password": "${USER}`)],
    ['a body that is no object', () => send(JSON.stringify([USER]))],
    ['a query that is no text', () => send(JSON.stringify({ query: { password: USER } }))],
    [
      'a query that cannot be parsed',
      () => graphql(`mutation { createMachineUser(input: {password: ${JSON.stringify(USER)} ]`),
    ],
    [
      'a query that ends within it',
      () => graphql(`mutation { createMachineUser(input: {password: "${USER.replaceAll(/["\\]/g, '')}`),
    ],
    ['an unknown variable', () => graphql('{ currentDomain { name } }', { password: USER })],
    ['variables of the wrong kind', () => send(JSON.stringify({ query: CREATE, variables: USER }))],
    ['an unknown field', () => graphql(CREATE, { input: { username: 'g', password: USER, secret: CONSUMER } })],
    [
      'an unauthorized request',
      () =>
        send(JSON.stringify({ query: CREATE, variables: { password: USER } }), {
          authorization: `Bearer ${CONSUMER.replaceAll(/[^\w-]/g, '')}`,
        }),
    ],
    ['an address', () => recordingFetch(new Request(`${server.url}/rest/nothing?secret=${encodeURIComponent(USER)}`))],
    ['an object in its place', () => graphql(CREATE, { input: { username: 'g', password: { is: USER } } })],
    ['a list in its place', () => graphql(CREATE, { input: { username: 'g', password: [USER] } })],
    [
      'a wrong type in the query itself',
      () =>
        graphql(`mutation { createMachineUser(input: {username: "g", password: [${JSON.stringify(USER)}]}) { uuid } }`),
    ],
    [
      'a wrong type in an import',
      () =>
        graphql('query Plan($d: JSON!) { planImport(document: $d) { json } }', {
          d: { machineUsers: [{ username: 'g', password: [USER] }] },
        }),
    ],
    [
      'a document that is none',
      () => graphql('query Plan($d: JSON!) { planImport(document: $d) { json } }', { d: USER }),
    ],
  ] as const)('in a request: %s', async (_, request) => {
    const already = answers.length
    const response = await request()
    expect(response.status).toBeLessThan(500)
    expect(findSecrets({ answer: answers.slice(already).join('\n') })).toEqual([])
  })
})

describe('in the end', () => {
  it('no answer, no line of the log and no row of a table holds one', async () => {
    const opened = await openPostgres(database.url, { maxConnections: 1 })
    const tables = Object.entries(await dumpTables(opened)).map(([name, rows]) => [name, rows.join('\n')] as const)
    await opened.close()
    expect(tables.find(([name]) => name === 'record_secrets')?.[1]).not.toBe('')
    expect(await server.stop()).toBe(0)
    expect(server.written()).toContain('"path":"/graphql"')
    const places = { ...Object.fromEntries(tables), log: server.written(), answers: answers.join('\n') }
    expect(findSecrets(places)).toEqual([])
  })
})
