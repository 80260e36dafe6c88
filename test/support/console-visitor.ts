import { openSession, sealSession } from '../../src/console/session/session.ts'
import { masked } from '../../src/server/login/csrf.ts'
import { SECRET, type LoginServer } from './login-server.ts'

/** Somebody who is signed in to the console, without a browser. */
export interface ConsoleVisitor {
  readonly cookie: string
  /** The token in each form of this session. */
  readonly csrf: string
  get(path: string): Promise<ConsolePage>
  /** Opens a stream, which stays open until the signal fires. */
  open(path: string, signal: AbortSignal, more?: { readonly [header: string]: string }): Promise<Response>
  /** Sends a form of the console, with the fields that all its forms have. */
  post(path: string, fields?: { readonly [name: string]: string | readonly string[] }): Promise<ConsolePage>
  /** Sends a form, and follows the redirect with the cookies of the answer. */
  follow(path: string, fields?: { readonly [name: string]: string | readonly string[] }): Promise<ConsolePage>
  /** Sends a form with files. */
  upload(path: string, form: FormData): Promise<ConsolePage>
}

export interface ConsolePage {
  readonly status: number
  readonly text: string
  /** The address of the redirect; null if the answer is a page. */
  readonly location: string | null
  readonly cookies: readonly string[]
}

export async function consoleVisitor(
  server: LoginServer,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<ConsoleVisitor> {
  return visitorWith(server, await passwordToken(server, email, password))
}

/** A visitor with this access token. */
export function visitorWith(server: Pick<LoginServer, 'url' | 'context'>, token: string): ConsoleVisitor {
  const cookie = sealSession(server.context, token)
  const csrf = masked(openSession(server.context, cookie)?.csrf ?? '')
  const headers = { cookie: `holdfast-console=${cookie}` }
  const ask = async (path: string, init: RequestInit = {}): Promise<ConsolePage> => {
    const answer = await fetch(server.url + path, {
      redirect: 'manual',
      ...init,
      headers: { ...headers, ...init.headers },
    })
    // A stream does not end.
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) await answer.body?.cancel()
    const text = isStream ? '' : await answer.text()
    return {
      status: answer.status,
      text,
      location: answer.headers.get('location'),
      cookies: answer.headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? ''),
    }
  }
  const post: ConsoleVisitor['post'] = (path, fields = {}) => {
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    return ask(path, { method: 'POST', body: new URLSearchParams([['csrf', csrf], ...pairs]) })
  }
  return {
    ...headers,
    csrf,
    get: (path) => ask(path),
    open: (path, signal, more) => fetch(server.url + path, { headers: { ...headers, ...more }, signal }),
    upload(path, form) {
      form.set('csrf', csrf)
      return ask(path, { method: 'POST', body: form })
    },
    post,
    async follow(path, fields) {
      const sent = await post(path, fields)
      if (sent.location === null) return sent
      return ask(sent.location, { headers: { cookie: [headers.cookie, ...sent.cookies].join('; ') } })
    },
  }
}

async function passwordToken(server: LoginServer, username: string, password: string): Promise<string> {
  const basic = Buffer.from(`${server.clientId('trusted')}:${SECRET}`).toString('base64')
  const answer = await fetch(`${server.url}/authenticate/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'password', username, password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
