import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANY_DATABASE } from '../support/databases.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { startTestServer, TOKEN, type TestServer } from './test-server.ts'

const SECRETS = {
  statement: 'select hidden_column',
  client: 'client-secret-that-is-never-logged',
  password: 'password-that-is-never-logged',
}

let server: TestServer
let broken: string | null = null
beforeAll(async () => {
  const database = countingDatabase(await ANY_DATABASE.openMigrated(), ({ text }) => {
    if (broken !== null && text.includes(broken))
      throw Object.assign(new Error('connection to 10.0.0.7 lost'), { query: SECRETS.statement, code: '08006' })
  })
  server = await startTestServer(database)
})
afterAll(() => server.close())

/** Statements on a table fail while the work runs. */
async function whileBroken<T>(table: string, work: () => Promise<T>): Promise<T> {
  broken = `from ${table}`
  try {
    return await work()
  } finally {
    broken = null
  }
}

describe('an error that nobody foresaw', () => {
  it('tells the client nothing but a trace-id, under which the log has it', async () => {
    const answer = await whileBroken('records', () =>
      server.call({ body: JSON.stringify({ query: '{ services { totalCount } }' }) }),
    )
    const traceId = answer.headers['x-trace-id']
    expect(answer.json).toStrictEqual({
      data: { services: null },
      errors: [
        {
          message: expect.stringContaining('inside of the platform') as string,
          path: ['services'],
          locations: [{ line: 1, column: 3 }],
          extensions: { code: 'INTERNAL', traceId },
        },
      ],
    })
    const line = server.log.find((text) => text.includes('unexpected error'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      traceId,
      error: { message: 'connection to 10.0.0.7 lost', code: '08006', stack: expect.any(String) as string },
    })
  })

  it('is the same for a REST answer', async () => {
    const answer = await whileBroken('domains', () => server.call({ method: 'GET', path: '/' }))
    expect(answer.json).toMatchObject({ status: 500, code: 'INTERNAL', title: 'Internal error' })
    expect(answer.text).not.toContain('10.0.0.7')
  })
})

describe('the log', () => {
  it('has one line for each answer', async () => {
    const answer = await server.call({
      body: JSON.stringify({ query: '{ currentDomain { name } }' }),
      path: '/graphql?hidden=1',
    })
    const line = server.log.find((text) => text.includes(String(answer.headers['x-trace-id'])))
    expect(JSON.parse(line ?? '{}')).toStrictEqual({
      message: 'request',
      traceId: answer.headers['x-trace-id'],
      method: 'POST',
      path: '/graphql',
      status: 200,
      address: '127.0.0.1',
      milliseconds: expect.any(Number) as number,
      domain: 'first',
      actor: 'operator',
    })
  })

  it('has no tokens, secrets, statements or bodies', async () => {
    const create = `mutation ($client: String!, $password: String!) {
      createApplicationConsumer(name: "A", slug: "a", secret: $client, grantTypes: [PASSWORD]) { uuid }
      createMachineUser(input: {username: "m", password: $password}) { uuid }
    }`
    await server.data(create, { client: SECRETS.client, password: SECRETS.password })
    await whileBroken('records', () => server.graphql(create, { client: SECRETS.client, password: SECRETS.password }))
    await server.graphql(create, { client: 1, password: SECRETS.password })
    await server.call({ body: `{"query": "${SECRETS.client}` })
    await server.call({ authorization: `Bearer ${SECRETS.password}`, body: '{}' })
    const log = server.log.join('\n')
    for (const text of [TOKEN, ...Object.values(SECRETS), 'mutation']) expect(log).not.toContain(text)
  })
})
