import type { AccessContext } from '../../platform/access/access-context.ts'

// oidc-provider uses the clock of its own machine. Stored times use the platform's clock, which is the clock of the
// database. So servers with different clocks agree on what has expired.

type Clock = Pick<AccessContext, 'now'>

/** Returns the number of seconds by which the platform's clock is ahead of the library's. */
export function secondsAhead({ now }: Clock): number {
  return Math.round((now().getTime() - Date.now()) / 1_000)
}

/** The members of a payload that contain times of the library's clock. */
const TIMES = ['iat', 'exp', 'iiat', 'loginTs'] as const

/** Adds seconds to the times of a payload. */
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
