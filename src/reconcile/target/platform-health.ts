import { missingRight } from '../../auth/require-right.ts'
import { ROLES } from '../../auth/roles.ts'
import type { Right } from '../../auth/scopes.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isEncrypted, isOfThisMachine } from '../../client/platform-address.ts'
import type { Bearer } from '../../client/bearer.ts'
import { clockSkew } from '../../client/clock.ts'
import { graphqlClient } from '../../client/graphql-client.ts'
import { checked, ok, problem, type Check } from './check.ts'
import type { Answer, Io } from '../../shell/io.ts'
import { requestJson } from '../../client/json-request.ts'
import { LOST_RIGHTS, WHO_AM_I, type LostRightsAnswer, type WhoAmI } from './graphql-queries.ts'
import { LostAnswerError } from '../../client/platform-error.ts'
import { sendBy } from '../../client/send.ts'
import { strangeAnswer } from '../../client/strange-answer.ts'

/** Checks everything that an apply needs, in order, and stops at the first problem. */
export async function checkPlatform(url: string, bearer: () => Bearer, io: Io): Promise<Check[]> {
  let response: Answer
  try {
    response = await sendBy(io)(new URL('healthz', url), { signal: io.signal })
  } catch (error) {
    if (io.signal.aborted) throw error
    return [problem('platform', new LostAnswerError(url, error).message)]
  }
  // An answer that nobody reads would keep its connection, and so the process.
  await response.body?.cancel()
  if (!response.ok) return [problem('platform', `${url} ${unwell(response)}`)]
  return [
    ok('platform', `${url} answers`),
    checkEncryption(url),
    checkClock(response.headers.get('date'), io.now()),
    await checkDiscovery(url, io),
    ...(await checkCredential(url, bearer, io)),
  ]
}

function unwell(response: Answer): string {
  return response.status < 500 ? strangeAnswer(response) : `is not well (status ${response.status}); look at its log`
}

function checkEncryption(url: string): Check {
  if (isEncrypted(url)) return ok('encryption', 'TLS, with a trusted certificate')
  if (isOfThisMachine(url)) return ok('encryption', 'none, and nothing leaves this machine')
  return problem(
    'encryption',
    `${url} is not encrypted: the credential and all secrets can be read on the way; use https`,
  )
}

export function checkClock(date: string | null, now: number): Check {
  const skew = clockSkew(date, now)
  if (skew === null) return ok('clock', 'the platform does not tell its time')
  if (!skew.isTooMuch) return ok('clock', `within ${skew.seconds} s of the platform`)
  return problem('clock', `${skew.words}: tokens will be refused; set the clocks by NTP`)
}

/** Checks the issuer, because a client refuses answers for another address than it uses (RFC 8414, section 3.3). */
function checkDiscovery(url: string, io: Io): Promise<Check> {
  return checked('discovery', async () => {
    const address = new URL('.well-known/openid-configuration', url)
    const { body, response } = await requestJson(address, url, io)
    const issuer = body['issuer']
    const expected = url.replace(/\/$/, '')
    if (issuer === expected) return `sign-in is at ${issuer}`
    const found =
      typeof issuer === 'string'
        ? `the platform calls itself ${issuer}; use that address, or set HOLDFAST_BASE_URL=${expected} on the server`
        : `${address.href} ${strangeAnswer(response)}`
    throw new HoldfastError('BAD_USER_INPUT', found)
  })
}

async function checkCredential(url: string, bearer: () => Bearer, io: Io): Promise<Check[]> {
  let caller: WhoAmI | undefined
  let lost: LostRightsAnswer['lostRights'] = []
  const credential = await checked('credential', async () => {
    const request = graphqlClient({ ...io, url, bearer: bearer() })
    caller = await request<WhoAmI>(WHO_AM_I, {})
    if (caller.me.rights.includes('access:admin'))
      lost = (await request<Partial<LostRightsAnswer>>(LOST_RIGHTS, {})).lostRights ?? []
    return `${caller.me.name} at domain ${caller.currentDomain.name}`
  })
  return caller === undefined ? [credential] : [credential, checkRights(caller.me), ...lost.map(lostRight)]
}

/** Reports people without a role. This is not a problem, because the administrator decides whether it is intended. */
function lostRight({ who, what, advice }: LostRightsAnswer['lostRights'][number]): Check {
  return ok('no role', `${who} ${what}; ${advice}`)
}

const COMMANDS: readonly (readonly [command: string, right: Right])[] = [
  ['plan', 'model:plan'],
  ['apply', 'model:apply'],
  ['export', 'model:read'],
]

/** Checks the rights of the token. One that can only plan suits a pull request; one that cannot plan is useless. */
export function checkRights({ scopes, rights, roles }: WhoAmI['me']): Check {
  const held = roles.flatMap(({ role: name, within }) => {
    const role = ROLES.find((one) => one.toUpperCase() === name)
    return role === undefined ? [] : [{ role, within }]
  })
  const caller = { scopes, rights: new Set(rights), rightsWithin: new Set<Right>(), roles: held, isDevice: false }
  const missing = COMMANDS.flatMap(([command, right]) => missingRight(command, right, caller) ?? [])
  const allowed = COMMANDS.filter(([, right]) => caller.rights.has(right)).map(([command]) => command)
  const can = allowed.length === 0 ? '' : `enough for ${allowed.join(', ')}`
  const cannot = missing.map(({ message }) => message).join('; ')
  const message = [can, cannot].filter((part) => part !== '').join('; ')
  return caller.rights.has('model:plan') ? ok('rights', message) : problem('rights', message)
}
