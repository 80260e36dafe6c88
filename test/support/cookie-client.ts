import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'

// A browser without a window. It has cookies by name, host and path, and forms. It follows redirects only when asked
// to.

export interface Reply {
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly cookies: readonly string[]
  readonly text: string
}

interface Cookie {
  readonly host: string
  readonly path: string
  readonly name: string
  readonly value: string
}

export class CookieClient {
  /** The host to send instead of the address's own host, as a proxy would. */
  readonly #host: string | undefined
  readonly #headers: OutgoingHttpHeaders
  #cookies: Cookie[] = []

  /** `headers`: sent with every request. */
  constructor({ host, headers = {} }: { readonly host?: string; readonly headers?: OutgoingHttpHeaders } = {}) {
    this.#host = host
    this.#headers = headers
  }

  get cookieNames(): string[] {
    return this.#cookies.map(({ name }) => name)
  }

  /** The header with all cookies that an address would get; empty if there are none. */
  header(url: string): string {
    const { hostname, pathname } = new URL(url)
    const sent = this.#cookies.filter(({ host, path }) => host === hostname && matches(path, pathname))
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  forget(name: RegExp): void {
    this.#cookies = this.#cookies.filter((cookie) => !name.test(cookie.name))
  }

  cookie(name: RegExp): string | undefined {
    return this.#cookies.find((cookie) => name.test(cookie.name))?.value
  }

  get(url: string, headers: { readonly [name: string]: string } = {}): Promise<Reply> {
    return this.#send('GET', url, headers)
  }

  post(
    url: string,
    fields: { readonly [name: string]: string },
    headers: { readonly [name: string]: string } = {},
  ): Promise<Reply> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#send('POST', url, { ...type, ...headers }, new URLSearchParams(fields).toString())
  }

  /** Follows redirects as long as they stay on this server. The last reply may be a redirect to another server. */
  async follow(first: Reply): Promise<Reply> {
    let reply = first
    for (let hops = 0; hops < 10; hops += 1) {
      const { location } = reply.headers
      if (location === undefined) return reply
      const next = new URL(location, reply.url)
      if (next.host !== new URL(reply.url).host && next.host !== this.#host) return reply
      reply = await this.get(new URL(next.pathname + next.search, reply.url).href)
    }
    throw new Error('too many redirects')
  }

  async open(url: string): Promise<Reply> {
    return this.follow(await this.get(url))
  }

  /** Sends the form of a page, with its hidden fields. */
  async submit(page: Reply, fields: { readonly [name: string]: string }): Promise<Reply> {
    return this.follow(await this.submitOnly(page, fields))
  }

  /** Sends the form of a page, and does not follow the redirect. */
  submitOnly(page: Reply, fields: { readonly [name: string]: string }): Promise<Reply> {
    const action = /<form method="post" action="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return this.post(new URL(action, page.url).href, { ...hiddenFields(page), ...fields })
  }

  #send(method: string, url: string, headers: { readonly [name: string]: string }, body?: string): Promise<Reply> {
    const known = this.header(url)
    const cookie = known === '' ? {} : { cookie: known }
    const host = this.#host === undefined ? {} : { host: this.#host }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        url,
        { method, agent: false, headers: { ...this.#headers, ...host, ...cookie, ...headers } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const cookies = response.headers['set-cookie'] ?? []
            for (const text of cookies) this.#keep(new URL(url).hostname, text)
            const text = Buffer.concat(chunks).toString()
            resolve({ url, status: response.statusCode ?? 0, headers: response.headers, cookies, text })
          })
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  }

  #keep(host: string, text: string): void {
    const [pair = '', ...attributes] = text.split(/; */)
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    this.#cookies = this.#cookies.filter(
      (cookie) => cookie.name !== name || cookie.path !== path || cookie.host !== host,
    )
    if (!/expires=Thu, 01 Jan 1970/i.test(text)) this.#cookies.push({ host, path, name, value })
  }
}

function matches(path: string, pathname: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(`${path}/`)
}

export function hiddenFields({ text }: Reply): { [name: string]: string } {
  const found = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries(Array.from(found, ([, name = '', value = '']) => [name, value]))
}
