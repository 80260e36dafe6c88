import type { Answer } from '../shell/io.ts'

/** A token from the platform or another provider. */
export interface Grant {
  readonly token: string
  readonly refreshToken: string | null
  /** The time to get the next token, before this one expires; null if that time is not known. */
  readonly renewAt: number | null
}

/** Advice for the user of the command, which is added to the platform's answer; empty if there is none. */
export interface Advice {
  readonly refused: string
  readonly forbidden: string
  /** Explains a refusal for this credential, in place of the platform's message; null to keep that message. */
  explain?(details: readonly unknown[]): string | null
}

/** The credential of one run of a command. Tokens are kept in memory until the process ends. */
export interface Bearer {
  readonly advice: Advice
  /** Returns a token, and signs in on first use. */
  token(): Promise<string>
  /** Returns a new token after the platform has rejected this one; null if there is no way to get one. */
  renew(refused: string): Promise<string | null>
}

export function fixedBearer(token: string, advice: Advice = { refused: '', forbidden: '' }): Bearer {
  return { advice, token: () => Promise.resolve(token), renew: () => Promise.resolve(null) }
}

/** A bearer that gets new tokens. `obtain` receives the previous grant, whose refresh token may still be valid. */
export function renewableBearer(
  obtain: (previous: Grant | null) => Promise<Grant>,
  now: () => number,
  advice: Advice,
): Bearer {
  let held: Promise<Grant> | undefined
  const replace = (previous: Grant | null): Promise<Grant> => {
    const asked = obtain(previous)
    asked.catch(() => {
      if (held === asked) held = previous === null ? undefined : Promise.resolve(previous)
    })
    return (held = asked)
  }
  /** Replaces a grant once for all requests that find it expired or rejected. A provider may accept its token once. */
  const successor = (awaited: typeof held, previous: Grant | null): Promise<Grant> =>
    held !== undefined && held !== awaited ? held : replace(previous)
  return {
    advice,
    async token() {
      const awaited = held ?? replace(null)
      const grant = await awaited
      const isGood = grant.renewAt === null || now() < grant.renewAt
      return isGood ? grant.token : (await successor(awaited, grant)).token
    },
    async renew(refused) {
      const awaited = held
      const grant = await awaited
      if (grant === undefined || grant.token === refused) return (await successor(awaited, grant ?? null)).token
      return grant.token
    },
  }
}

/** Sends a request with the token. If the token is rejected, it sends the request again with a new one. */
export async function sendWith<Kind extends Pick<Answer, 'status' | 'body'>>(
  bearer: Bearer,
  send: (token: string) => Promise<Kind>,
): Promise<Kind> {
  const token = await bearer.token()
  const response = await send(token)
  if (response.status !== 401) return response
  const discard = () => response.body?.cancel()
  const other = await bearer.renew(token).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  if (other === null) return response
  await discard()
  return send(other)
}
