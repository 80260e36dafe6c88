import { expect, it } from 'vitest'
import { createPasswordLink } from '../../../src/platform/access/accounts/password-links.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { ANN } from '../../support/login-server.ts'
import { server, useLoginServer } from './one-login-server.ts'

// Behind a proxy that speaks TLS: HOLDFAST_BASE_URL says so, and the Host is that of the outside.

const HOST = 'building.example'

useLoginServer({ baseUrl: `https://${HOST}`, hostNames: [HOST] })

it('every cookie is for this host and for TLS alone, and hidden from scripts', async () => {
  const client = new CookieClient({ host: HOST })
  const first = await client.get(server.authorizationUrl('trusted'))
  const page = await client.follow(first)
  const fields = { decision: 'sign-in', username: ANN.email, password: ANN.password }
  const action = new URL(page.url)
  const hidden = Object.fromEntries(
    Array.from(page.text.matchAll(/name="(interaction|csrf)" value="([^"]*)"/g), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const signedIn = await client.post(action.href, { ...hidden, ...fields })
  const resumed = await client.follow(signedIn)
  const { token } = await createPasswordLink(server.context, ANN.email, 'operator')
  const password = await client.get(`${server.url}/login/password?link=${token}`)
  const cookies = [first, page, signedIn, resumed, password].flatMap((reply) => reply.cookies)
  const set = cookies.filter((cookie) => !/expires=Thu, 01 Jan 1970/.test(cookie))
  expect(set.map((cookie) => cookie.split('=')[0])).toStrictEqual(
    expect.arrayContaining(['__Host-holdfast-browser', '__Host-holdfast-device', '__Host-holdfast-session']),
  )
  for (const cookie of set) {
    expect(cookie).toMatch(/^__(Host|Secure)-holdfast-/)
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; secure/i)
    expect(cookie).toMatch(/; samesite=lax/i)
    expect(cookie).not.toMatch(/; domain=/i)
  }
  expect(resumed.headers.location).toContain('code=')
})
