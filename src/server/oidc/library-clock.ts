import type { AccessContext } from '../../platform/access/access-context.ts'

// oidc-provider measures by the clock of its own machine. What is stored holds times of the platform, which is the clock of the
// database, so that servers whose clocks differ agree on what has expired.

type Clock = Pick<AccessContext, 'now'>

/** By how many seconds the clock of the platform is ahead of that of the library. */
export function secondsAhead({ now }: Clock): number {
  return Math.round((now().getTime() - Date.now()) / 1_000)
}

/** The members of a payload that the library measures by. */
const TIMES = ['iat', 'exp', 'iiat', 'loginTs'] as const

/** The same payload with its times so many seconds later. */
export function shifted<Payload extends { readonly [member: string]: unknown }>(
  payload: Payload,
  seconds: number,
): Payload {
  const times = TIMES.flatMap((name) => {
    const time = payload[name]
    return typeof time === 'number' ? [[name, time + seconds] as const] : []
  })
  return { ...payload, ...Object.fromEntries(times) }
}
