/** What the platform or a provider gave. */
export interface Grant {
  readonly token: string
  readonly refreshToken: string | null
  /** When to get another one, which is before this one expires; null where that is not known. */
  readonly renewAt: number | null
}

/** Said after what the platform says, to the person who runs the command; empty where there is nothing to add. */
export interface Advice {
  readonly refused: string
  readonly forbidden: string
}

/** The credential of one run of a command. Tokens are kept in memory and end with the process. */
export interface Bearer {
  readonly advice: Advice
  /** Signs in when it is first needed. */
  token(): Promise<string>
  /** Another token where the platform refuses this one; null where there is no way to get one. */
  renew(refused: string): Promise<string | null>
}

export function fixedBearer(token: string, advice: Advice = { refused: '', forbidden: '' }): Bearer {
  return { advice, token: () => Promise.resolve(token), renew: () => Promise.resolve(null) }
}

/** `obtain` is given what there was before, whose refresh token may still be good. */
export function renewableBearer(
  obtain: (previous: Grant | null) => Promise<Grant>,
  now: () => number,
  advice: Advice,
): Bearer {
  let held: Promise<Grant> | undefined
  const replace = (previous: Grant | null) => (held = obtain(previous))
  return {
    advice,
    async token() {
      const grant = await (held ?? replace(null))
      const isGood = grant.renewAt === null || now() < grant.renewAt
      return isGood ? grant.token : (await replace(grant)).token
    },
    async renew(refused) {
      const grant = await held
      if (grant === undefined || grant.token === refused) return (await replace(grant ?? null)).token
      return grant.token
    },
  }
}

/** Sends something with the token, and once more with another one where that is refused. */
export async function sendWith(bearer: Bearer, send: (token: string) => Promise<Response>): Promise<Response> {
  const token = await bearer.token()
  const response = await send(token)
  const other = response.status === 401 ? await bearer.renew(token) : null
  if (other === null) return response
  await response.body?.cancel()
  return send(other)
}
