import { beforeEach, expect, it } from 'vitest'
import { consoleVisitor, type ConsoleVisitor } from '../support/console-visitor.ts'
import { setGrants } from '../support/grants.ts'
import { ANN } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// The token with which GraphiQL asks for a person who is signed in to the console.

const VIEWER = ['data:read', 'domain:read', 'model:read', 'self:read', 'self:write']

let waited = 0
useConsole({ now: () => new Date(Date.now() + waited) })
beforeEach(() => {
  waited = 0
})

async function tokenFor(visitor: ConsoleVisitor): Promise<string> {
  const { status, text } = await visitor.post('/api/token')
  expect(status).toBe(200)
  return (JSON.parse(text) as { token: string }).token
}

const send = (init: RequestInit) => fetch(`${server.url}/api/token`, { method: 'POST', ...init })

async function askWith(headers: { readonly [name: string]: string }, query = '{ me { rights } }') {
  const body = JSON.stringify({ query })
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: answer.status, body: (await answer.json()) as { data?: { me: { rights: string[] } } } }
}

it('has the rights of the person, and ends after two minutes', async () => {
  const headers = { authorization: `Bearer ${await tokenFor(operator)}` }
  const { body } = await askWith(headers)
  expect(body.data?.me.rights).toContain('access:admin')
  waited = 115_000
  expect((await askWith(headers)).status).toBe(200)
  waited = 125_000
  expect((await askWith(headers)).status).toBe(401)
})

it('has no more rights than the person', async () => {
  await setGrants(server.context, [{ role: 'viewer', user: ANN.email }])
  const ann = await consoleVisitor(server, ANN)
  const { body } = await askWith({ authorization: `Bearer ${await tokenFor(ann)}` })
  expect(body.data?.me.rights.toSorted()).toStrictEqual(VIEWER)
})

it('is given for a form of the session only', async () => {
  const { cookie } = operator
  const form = { body: new URLSearchParams({ csrf: operator.csrf }) }
  const foreign = new URLSearchParams({ csrf: 'of another site' })
  expect((await send({ headers: { cookie }, body: foreign })).status).toBe(403)
  expect((await send(form)).status).toBe(401)
  expect((await send({ headers: { cookie }, body: JSON.stringify({ csrf: operator.csrf }) })).status).toBe(415)
  expect((await send({ headers: { cookie } })).status).toBe(415)
  expect((await send({ headers: { cookie }, ...form })).status).toBe(200)
})

it('is the only way: /graphql does not look at cookies', async () => {
  expect((await askWith({ cookie: operator.cookie })).status).toBe(401)
})

it('comes with a page that allows style elements by a nonce, and no inline script', async () => {
  const page = await fetch(`${server.url}/api`, { headers: { cookie: operator.cookie } })
  const [, nonce] = /data-nonce="([\w+/=]{24})"/.exec(await page.text()) ?? []
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain(`; style-src 'self' 'nonce-${nonce}'`)
  expect(policy).toContain(`; script-src 'self';`)
  const other = await fetch(`${server.url}/keys`, { headers: { cookie: operator.cookie } })
  expect(other.headers.get('content-security-policy')).toMatch(/; style-src 'self'$/)
})
