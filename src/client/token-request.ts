import type { Grant } from './bearer.ts'
import type { Io } from '../shell/io.ts'
import { requestJson } from './json-request.ts'
import { refusedTokenRequest, type CredentialNames } from './refused-token-request.ts'

/** Everything that a request for a token needs from its process. */
export type TokenIo = Pick<Io, 'fetch' | 'send' | 'signal' | 'now'>

/** Requests a token from the token endpoint of a platform (specification, section 5). */
export async function requestGrant(
  url: string,
  parameters: { readonly [name: string]: string },
  io: TokenIo,
  names: CredentialNames,
): Promise<Grant> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
  const body = new URLSearchParams(parameters).toString()
  const answer = await requestJson(new URL('authenticate/token', url), url, io, { method: 'POST', headers, body })
  const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = answer.body
  if (!answer.response.ok || typeof token !== 'string') throw refusedTokenRequest(url, answer, io.now(), names)
  return {
    token,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
    renewAt: typeof seconds === 'number' ? renewalTime(io.now(), seconds) : null,
  }
}

/** Returns the time when a tenth of the token's lifetime is left. That is enough for a request that takes a while. */
export function renewalTime(now: number, seconds: number): number {
  return now + seconds * 900
}
