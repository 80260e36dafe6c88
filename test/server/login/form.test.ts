import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { AppEnv } from '../../../src/server/app-env.ts'
import { readForm } from '../../../src/server/login/form.ts'

async function passwordIn(body: string): Promise<unknown> {
  const app = new Hono<AppEnv>().post('/', async (request) =>
    request.json((await readForm(request))('password') ?? null),
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  return (await app.request('/', { method: 'POST', headers, body }, {})).json()
}

it.each([
  ['password=a%26b+c', 'a&b c'],
  ['password=', ''],
  ['other=x', null],
  ['password=one&password=two', null],
  ['password=one&password=one', null],
])('of %s it takes %j: a field that is there twice says nothing', async (body, password) => {
  expect(await passwordIn(body)).toBe(password)
})
