import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../src/db/sql.ts'
import { HoldfastError } from '../../../../src/lib/errors.ts'
import { ChangeSignals } from '../../../../src/platform/change-signals.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { createApp } from '../../../../src/server/app.ts'
import { Lifecycle } from '../../../../src/server/lifecycle.ts'
import type { Logger } from '../../../../src/server/logger.ts'
import { HttpError } from '../../../../src/server/requests/error-response.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { CookieClient } from '../../../support/cookie-client.ts'
import { post } from '../application.ts'
import { CALLBACK, makeConsumer, makePerson, type Consumer, type Person } from '../people.ts'
import { startSignIn, type SignInServer } from '../sign-in-server.ts'
import { ANY_DATABASE } from '../../../support/databases.ts'

let database: Database
let server: SignInServer
let consumer: Consumer
let person: Person
/** What the database does when tokens are to be written. */
let fail: (() => never) | undefined

beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  const failing = countingDatabase(database, ({ text }) => {
    if (text.includes('insert into artifacts')) fail?.()
  })
  server = await startSignIn(failing)
  consumer = await makeConsumer(server.access, { grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'] })
  person = await makePerson(server.access)
})

afterAll(async () => {
  await server.close()
  await database.close()
})

async function failingBy<T>(error: Error, work: () => Promise<T>): Promise<T> {
  fail = () => {
    throw error
  }
  try {
    return await work()
  } finally {
    fail = undefined
  }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traced = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }

function ask(password = person.password) {
  const fields = { grant_type: 'password', username: person.login, password }
  return post(server.url, '/authenticate/token', fields, { consumer, headers: traced })
}

function logged(message: string): readonly string[] {
  return server.log.filter((line) => line.includes(`"message":"${message}"`) && line.includes(TRACE))
}

describe('an unexpected error', () => {
  const unexpected = new Error('relation "inner_secret" does not exist')

  it('says no more than where its reason is, and is logged once', async () => {
    const { status, body, headers } = await failingBy(unexpected, () => ask())
    expect({ status, body }).toStrictEqual({
      status: 500,
      body: {
        error: 'server_error',
        error_description: 'something went wrong inside of the platform; its log has the reason under the trace-id',
      },
    })
    expect(headers.get('x-trace-id')).toBe(TRACE)
    expect(logged('unexpected error')).toHaveLength(1)
    expect(logged('unexpected error')[0]).toContain('inner_secret')
  })

  it('is a page for people, with the number to ask for', async () => {
    const query = new URLSearchParams({ client_id: consumer.clientId, response_type: 'code', redirect_uri: CALLBACK })
    const url = `${server.url}/authenticate?${query.toString()}`
    const { status, text } = await failingBy(unexpected, () =>
      new CookieClient().get(url, { ...traced, accept: 'text/html' }),
    )
    expect(status).toBe(500)
    expect(text).toContain('That did not work')
    expect(text).toContain(TRACE)
    expect(text).not.toContain('inner_secret')
  })

  it('is one also where it comes after the answer, when the session is to be kept', async () => {
    const headers = { ...traced, cookie: 'holdfast-session=of-another-day', accept: 'text/html' }
    const { status, text } = await failingBy(unexpected, () => new CookieClient().get(`${server.url}/logout`, headers))
    expect(status).toBe(500)
    expect(text).toContain('That did not work')
    expect(text).not.toContain('inner_secret')
  })
})

it('a database that does not answer is a reason to try again', async () => {
  const away = new HoldfastError('UNAVAILABLE', 'the database does not answer; try again in a moment')
  const { status, body, headers } = await failingBy(away, () => ask())
  expect({ status, error: body['error'], retryAfter: headers.get('retry-after') }).toStrictEqual({
    status: 503,
    error: 'temporarily_unavailable',
    retryAfter: '5',
  })
})

it('a refusal is logged once, with its reason and without what was sent', async () => {
  const before = logged('refused').length
  await ask('a-wrong-password')
  const lines = logged('refused').slice(before)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('invalid_grant')
  expect(lines[0]).toContain(consumer.clientId)
  expect(lines[0]).not.toContain('a-wrong-password')
})

it('the log has the status of what the library answers', async () => {
  await ask('a-wrong-password')
  const line = server.log.findLast((text) => text.includes('"path":"/authenticate/token"'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ method: 'POST', status: 400, domain: 'main' })
})

const ignore = () => undefined

function appInsideAnother(logger: Logger = { info: ignore, error: ignore }) {
  const platform = {
    ...server.access,
    baseUrl: null,
    authenticate: () => Promise.resolve(null),
    findDomain: () => Promise.resolve(server.access.domain),
    datapoints: new Datapoints({ ...server.access, isAlone: true }),
    changes: new ChangeSignals(),
    checkDatabase: () => Promise.resolve(),
  }
  return createApp({ lifecycle: new Lifecycle('ready'), logger, platform: () => platform }).app
}

it.each(['\u20ac', '\u0001'])(
  'an answer with the invalid header %j becomes an unexpected error in the log',
  async (value) => {
    const messages: string[] = []
    const app = appInsideAnother({ info: ignore, error: (_, message) => void messages.push(message) })
    app.get('/broken', () => {
      throw new HttpError('BAD_USER_INPUT', 400, 'Bad request', 'no', { 'x-name': value })
    })
    const response = await app.fetch(new Request('http://main.example/broken'), {})
    expect(await response.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(messages).toStrictEqual(['unexpected error'])
  },
)

it('a platform inside of another program says that nobody signs in to it', async () => {
  const request = new Request('http://main.example/.well-known/openid-configuration')
  const response = await appInsideAnother().fetch(request, {})
  expect(response.status).toBe(501)
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining('start it as a server') as unknown })
})
