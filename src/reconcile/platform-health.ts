import { graphqlClient } from './graphql-client.ts'
import { checked, ok, problem, type Check } from './health.ts'
import type { Io } from './io.ts'
import { WHO_AM_I } from './operations.ts'
import { LostAnswerError } from './platform-error.ts'

/** Whether a platform answers, has the same time as this machine, and accepts the credential. */
export async function checkPlatform(url: string, token: () => Promise<string>, io: Io): Promise<Check[]> {
  let response: Response
  try {
    response = await io.fetch(new Request(new URL('healthz', url), { signal: io.signal }))
  } catch (error) {
    if (io.signal.aborted) throw error
    return [problem('platform', new LostAnswerError(url, error).message)]
  }
  if (!response.ok) return [problem('platform', `${url} is not well (status ${response.status}); look at its log`)]
  const checks = [ok('platform', `${url} answers`), checkClock(response.headers.get('date'), io.now())]
  return [...checks, await checked('credential', async () => signedIn(url, await token(), io))]
}

async function signedIn(url: string, token: string, io: Io): Promise<string> {
  const request = graphqlClient({ url, token, fetch: io.fetch, signal: io.signal })
  const { currentDomain } = await request<{ currentDomain: { name: string } }>(WHO_AM_I, {})
  return `accepted for domain ${currentDomain.name}`
}

/** Tokens are dated to the second, and most verifiers allow no more than a minute of difference. */
const MOST_SKEW_MS = 60_000

export function checkClock(date: string | null, now: number): Check {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs)) return ok('clock', 'the platform does not tell its time')
  const skew = Math.round((now - theirs) / 1_000)
  if (Math.abs(now - theirs) <= MOST_SKEW_MS) return ok('clock', `within ${Math.abs(skew)} s of the platform`)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  return problem(
    'clock',
    `${Math.abs(skew)} s ${direction} the platform: tokens will be refused; set the clocks by NTP`,
  )
}
