import { afterAll, beforeAll } from 'vitest'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import type { Database } from '../../../src/db/sql.ts'
import { discover, post, type TokenAnswer } from './application.ts'
import { CALLBACK, makeConsumer, makePerson, type Consumer, type Person } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

// A server with one person and one consumer, and the requests that somebody makes by hand who wants more than is theirs.

export type Fields = { readonly [name: string]: string }

export interface AttackedServer {
  readonly database: Database
  readonly server: SignInServer
  readonly person: Person
  readonly consumer: Consumer
  readonly client: Awaited<ReturnType<typeof discover>>
  /** The page or redirect that answers an authorization request. */
  authorize(parameters: Fields): Promise<Reply>
  redeem(code: string, fields?: Fields, by?: Consumer): Promise<TokenAnswer>
  refresh(token: unknown, fields?: Fields, by?: Consumer): Promise<TokenAnswer>
  /** The status of what it says about this token. */
  userinfo(token: unknown): Promise<number>
  /** Lets time go by for everything that the server keeps. */
  wait(seconds: number): void
  close(): Promise<void>
}

export async function startAttacked(): Promise<AttackedServer> {
  let waited = 0
  const database = await ANY_DATABASE.openMigrated()
  const server = await startSignIn(database, { now: () => new Date(Date.now() + waited) })
  const consumer = await makeConsumer(server.access)
  const ask = (fields: Fields, by: Consumer) => post(server.url, '/authenticate/token', fields, { consumer: by })
  return {
    database,
    server,
    consumer,
    person: await makePerson(server.access),
    client: await discover(server.url, consumer),
    authorize(parameters) {
      const usual = { client_id: consumer.clientId, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' }
      const query = new URLSearchParams({ ...usual, state: 's', ...parameters })
      return new CookieClient().get(`${server.url}/authenticate?${query.toString()}`)
    },
    redeem: (code, fields = {}, by = consumer) =>
      ask({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...fields }, by),
    refresh: (token, fields = {}, by = consumer) =>
      ask({ grant_type: 'refresh_token', refresh_token: String(token), ...fields }, by),
    async userinfo(token) {
      const headers = { authorization: `Bearer ${String(token)}` }
      return (await fetch(`${server.url}/authenticate/userinfo`, { headers })).status
    },
    wait(seconds) {
      waited += seconds * 1000
    },
    async close() {
      await server.close()
      await database.close()
    },
  }
}

export let at: AttackedServer

/** Starts one for all tests of the file. */
export function useAttacked(): void {
  beforeAll(async () => {
    at = await startAttacked()
  })
  afterAll(() => at.close())
}
