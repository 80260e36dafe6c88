import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedFetch, UnreachableError } from '../../../../../src/platform/access/delegated/provider/guarded-fetch.ts'
import { selfSigned } from '../../../../support/self-signed.ts'

const servers: Server[] = []
const sockets: { destroy(): void }[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A provider on the premises, which the server's settings allow. */
async function allowed(answer: RequestListener) {
  const origin = `http://127.0.0.1:${await listen(createHttpServer(answer))}`
  return { origin, fetch: guardedFetch({ allowedOrigins: [origin] }) }
}

const TRUSTED = getCACertificates('default')
afterEach(() => setDefaultCACertificates(TRUSTED))

/** A TLS server with a name of its own, whose certificate is trusted. */
async function secure(answer: RequestListener, name = 'provider.example') {
  const { cert, key } = selfSigned(name)
  setDefaultCACertificates([...getCACertificates('default'), cert])
  return listen(createTlsServer({ cert, key }, answer))
}

const hello: RequestListener = (_, response) => response.end('{"hello":"world"}')

describe('what is allowed', () => {
  it('is answered as fetch would answer', async () => {
    const { origin, fetch } = await allowed((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.statusCode = 201
      response.end(JSON.stringify({ method: request.method, accept: request.headers.accept }))
    })
    const answer = await fetch(`${origin}/path`, { headers: { accept: 'application/json' } })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toStrictEqual({ method: 'GET', accept: 'application/json' })
  })

  it('can be sent a form, as to a token endpoint', async () => {
    const { origin, fetch } = await allowed((request, response) => {
      request.setEncoding('utf8').on('data', (body) => response.end(`${request.headers['content-type']} ${body}`))
    })
    const answer = await fetch(origin, { method: 'POST', body: new URLSearchParams({ code: 'a b' }) })
    expect(await answer.text()).toBe('application/x-www-form-urlencoded;charset=UTF-8 code=a+b')
  })

  it('can be stopped by who asked', async () => {
    const { origin, fetch } = await allowed(() => undefined)
    await expect(fetch(origin, { signal: AbortSignal.abort(new Error('enough')) })).rejects.not.toThrow(
      UnreachableError,
    )
  })
})

describe('what is refused', () => {
  const fetch = guardedFetch({ allowedOrigins: [] })

  it.each([
    ['plain http', 'http://8.8.8.8/', /no https address/],
    ['a file', 'file:///etc/passwd', /no https address/],
    ['this machine', 'https://127.0.0.1/', /not on the internet/],
    ['this machine in other digits', 'https://0x7f.1/', /not on the internet/],
    ['this machine in one number', 'https://2130706433/', /not on the internet/],
    ['this machine in IPv6', 'https://[::1]/', /not on the internet/],
    ['this machine as IPv4 in IPv6', 'https://[::ffff:7f00:1]/', /not on the internet/],
    ['the metadata of a cloud machine', 'https://169.254.169.254/latest/meta-data/', /not on the internet/],
    ['a name of this machine', 'https://localhost/', /not on the internet/],
  ])('%s', async (_, url, message) => {
    await expect(fetch(url)).rejects.toThrow(message)
  })

  it('a name that leads to a public and to a private address', async () => {
    const both = guardedFetch({
      allowedOrigins: [],
      resolve: async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    })
    await expect(both('https://both.example')).rejects.toThrow(/not on the internet/)
  })

  it('a name that nobody knows', async () => {
    const none = guardedFetch({ allowedOrigins: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    await expect(none('https://none.example')).rejects.toThrow('its name is not known')
  })

  it('another port of an allowed machine', async () => {
    const { fetch: fetchAllowed } = await allowed(hello)
    const other = await listen(createHttpServer(hello))
    await expect(fetchAllowed(`http://127.0.0.1:${other}`)).rejects.toThrow(/no https address/)
    await expect(fetchAllowed(`https://127.0.0.1:${other}`)).rejects.toThrow(/not on the internet/)
  })

  it('to be sent elsewhere', async () => {
    const { origin, fetch: fetchAllowed } = await allowed((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    })
    await expect(fetchAllowed(origin)).rejects.toThrow('it redirects, which is not followed')
  })

  it('an answer that is too large, said so or not', async () => {
    const { origin, fetch: fetchAllowed } = await allowed((request, response) => {
      if (request.url === '/said') response.setHeader('content-length', 150 * 1024)
      response.write(Buffer.alloc(150 * 1024))
      // It does not end: whoever read on would wait for ever.
    })
    await expect(fetchAllowed(`${origin}/said`)).rejects.toThrow('its answer is larger than 128 kB')
    await expect(fetchAllowed(`${origin}/unsaid`)).rejects.toThrow('its answer is larger than 128 kB')
  })

  it('an answer that unpacks to more than it is', async () => {
    const { origin, fetch: fetchAllowed } = await allowed((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end()
    })
    await expect(fetchAllowed(origin)).rejects.toThrow(/compressed/)
  })

  it('an answer that comes drop by drop, and a name server that does not answer, after 3 seconds', async () => {
    const { origin, fetch: fetchAllowed } = await allowed((_, response) => {
      const drops = setInterval(() => response.write('.'), 100)
      response.on('close', () => clearInterval(drops))
    })
    const slow = guardedFetch({ allowedOrigins: [], resolve: () => new Promise(() => undefined) })
    const refused = [fetchAllowed(origin), slow('https://slow.example')].map((asked) =>
      expect(asked).rejects.toThrow('it did not answer within 3 seconds'),
    )
    await Promise.all(refused)
  })
})

describe('by TLS', () => {
  it('the address that was checked is the one that is connected to, whatever the name leads to afterwards', async () => {
    const port = await secure((request, response) => response.end(`${request.headers.host}`))
    // 127.0.0.1 stands for an address on the internet, and 127.0.0.2, where nobody listens, for one that is not.
    const answers = ['127.0.0.1', '127.0.0.2']
    const fetch = guardedFetch({
      allowedOrigins: [],
      resolve: async () => [{ address: answers.shift() ?? '', family: 4 }],
      isReachable: (address) => address === '127.0.0.1',
    })
    const url = `https://provider.example:${port}/`
    expect(await (await fetch(url)).text()).toBe(`provider.example:${port}`)
    expect(answers).toStrictEqual(['127.0.0.2'])
    await expect(fetch(url)).rejects.toThrow(/not on the internet/)
  })

  it('the certificate must be for the name', async () => {
    const port = await secure(hello, 'another.example')
    const fetch = guardedFetch({
      allowedOrigins: [],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isReachable: () => true,
    })
    await expect(fetch(`https://provider.example:${port}/`)).rejects.toThrow('no connection could be made')
  })
})
