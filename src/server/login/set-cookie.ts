import { generateCookie } from 'hono/cookie'

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly seconds: number
  readonly secure: boolean
}

/** Sets a cookie that scripts cannot read, and that is not sent with requests from pages of other sites. */
export function withCookie(response: Response, { name, value, seconds, secure }: Cookie): Response {
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: seconds } as const
  response.headers.append('set-cookie', generateCookie(name, value, options))
  return response
}
