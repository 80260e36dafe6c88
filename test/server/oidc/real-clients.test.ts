import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Auth, customFetch, type AuthConfig } from '@auth/core'
import express from 'express'
import openidConnect from 'express-openid-connect'
import OpenIdStrategy from 'passport-openidconnect'
import { describe, expect, it } from 'vitest'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import { enterPassword } from './application.ts'
import { makeConsumer, type Consumer } from './people.ts'
import { person, server, useSignIn } from './one-sign-in-server.ts'

// Applications as their developers build them, with the libraries that most of them use, configured as little as possible.

const SECRET = 'a-long-random-secret-of-the-application-itself'

useSignIn()

interface Running {
  readonly url: string
  close(): Promise<void>
}

/** An application that needs to know its own address before it is made. */
async function run(make: (url: string) => Promise<RequestListener>): Promise<Running> {
  const application = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => application.once('listening', resolve))
  const url = `http://localhost:${(application.address() as AddressInfo).port}`
  application.on('request', await make(url))
  return {
    url,
    async close() {
      application.closeAllConnections()
      await new Promise((resolve) => application.close(resolve))
    },
  }
}

/** Between the application, on one host, and the platform, on another one, until there is a page. */
async function browse(browser: CookieClient, url: string): Promise<Reply> {
  let reply = await browser.get(url)
  for (let hops = 0; hops < 15 && reply.headers.location !== undefined; hops += 1)
    reply = await browser.get(new URL(reply.headers.location, reply.url).href)
  return reply
}

async function signInFrom(start: string): Promise<{ browser: CookieClient; page: Reply }> {
  const browser = new CookieClient()
  const form = await browse(browser, start)
  const back = await enterPassword(browser, form, person)
  return { browser, page: await browse(browser, new URL(back.headers.location ?? '', back.url).href) }
}

function consumerOf(callback: string, options: { readonly scopes?: readonly string[] } = {}): Promise<Consumer> {
  return makeConsumer(server.access, { grantTypes: ['AUTHORIZATION_CODE'], redirectUris: [callback], ...options })
}

describe('signs people in, and knows their name and address', () => {
  it('Auth.js', async () => {
    let config: AuthConfig | undefined
    const application = await run(async (url) => {
      const { clientId, secret } = await consumerOf(`${url}/auth/callback/holdfast`)
      config = {
        basePath: '/auth',
        trustHost: true,
        secret: SECRET,
        providers: [
          {
            id: 'holdfast',
            name: 'Holdfast',
            type: 'oidc',
            issuer: server.url,
            clientId,
            clientSecret: secret,
            [customFetch]: fetch,
          },
        ],
      }
      return answerWith(url, (request) => Auth(request, config as AuthConfig))
    })
    const browser = new CookieClient()
    const csrf = await browser.get(`${application.url}/auth/csrf`)
    const { csrfToken } = JSON.parse(csrf.text) as { csrfToken: string }
    const begun = await browser.post(`${application.url}/auth/signin/holdfast`, { csrfToken })
    const back = await enterPassword(browser, await browse(browser, begun.headers.location ?? ''), person)
    await browser.get(new URL(back.headers.location ?? '', back.url).href)
    const session = JSON.parse((await browser.get(`${application.url}/auth/session`)).text) as object
    expect(session).toMatchObject({ user: { name: 'Ann Example', email: person.login } })
    await application.close()
  })

  // It always asks for openid, profile and email.
  it.each([
    ['express-openid-connect, by the code flow', {}, 'Ann Example'],
    ['express-openid-connect, without a name if the consumer does not list profile', { scopes: ['service', 'email'] }],
  ])('%s', async (_, options, name?) => {
    const application = await run(async (url) => {
      const { clientId, secret } = await consumerOf(`${url}/callback`, options)
      const app = express()
      app.use(
        openidConnect.auth({
          issuerBaseURL: server.url,
          baseURL: url,
          clientID: clientId,
          clientSecret: secret,
          secret: SECRET,
          authorizationParams: { response_type: 'code' },
        }),
      )
      app.get('/', (request, response) => void response.json(request.oidc.user))
      return app
    })
    const { page } = await signInFrom(`${application.url}/`)
    const user = JSON.parse(page.text) as { readonly name?: string }
    expect(user).toMatchObject({ sub: person.uuid, email: person.login })
    expect(user.name).toBe(name)
    await application.close()
  })

  it('passport-openidconnect', async () => {
    const application = await run(async (url) => {
      const { clientId, secret } = await consumerOf(`${url}/callback`)
      const strategy = new OpenIdStrategy(
        {
          issuer: server.url,
          authorizationURL: `${server.url}/authenticate`,
          tokenURL: `${server.url}/authenticate/token`,
          userInfoURL: `${server.url}/authenticate/userinfo`,
          clientID: clientId,
          clientSecret: secret,
          callbackURL: `${url}/callback`,
          scope: ['email', 'profile'],
        },
        (_issuer: string, profile: OpenIdStrategy.Profile, done: OpenIdStrategy.VerifyCallback) => done(null, profile),
      )
      const session = {}
      const app = express()
      app.use((request, response) => authenticate(strategy, Object.assign(request, { session }), response))
      return app
    })
    const { page } = await signInFrom(`${application.url}/`)
    expect(JSON.parse(page.text)).toMatchObject({
      id: person.uuid,
      displayName: 'Ann Example',
      emails: [{ value: person.login }],
    })
    await application.close()
  })
})

/** What passport does with a strategy. */
function authenticate(strategy: OpenIdStrategy, request: express.Request, response: express.Response): void {
  const running = Object.create(strategy) as { [outcome: string]: unknown } & OpenIdStrategy
  running['redirect'] = (url: string) => response.redirect(url)
  running['success'] = (user: object) => response.json(user)
  running['fail'] = (challenge: unknown) => response.status(401).json(challenge)
  running['error'] = (error: Error) => response.status(500).send(error.stack)
  running.authenticate(request, {})
}

function answerWith(url: string, answer: (request: Request) => Promise<Response>) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
    const headers = new Headers(incoming.headers as { [name: string]: string })
    const reply = await answer(
      new Request(url + (incoming.url ?? ''), { method: incoming.method ?? 'GET', headers, ...body }),
    )
    outgoing.statusCode = reply.status
    for (const [name, value] of reply.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value)
    outgoing.setHeader('set-cookie', reply.headers.getSetCookie())
    outgoing.end(await reply.text())
  }
}
