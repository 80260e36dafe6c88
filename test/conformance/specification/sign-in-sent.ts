import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
} from '../../../src/platform/access/methods/methods.ts'
import type { Status } from '../../../src/platform/access/accounts/status.ts'
import type { Role } from '../../../src/auth/roles.ts'
import { createRecord } from '../../../src/platform/records/change-record.ts'
import { ACCESS } from '../../../src/records/record-type.ts'
import { begin, discover, enterPassword, landing, post, signIn } from '../../server/oidc/application.ts'
import { CALLBACK, change, makeConsumer, makeMachineUser, makePerson } from '../../server/oidc/people.ts'
import type { Consumer, ConsumerOptions } from '../../server/oidc/people.ts'
import { makeModelRecord } from '../../support/access.ts'
import { AUDIENCE } from '../../support/company.ts'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import type { Sent, World } from './statement.ts'

// The ways in which statements about signing in are tried.

export const PATH = '/authenticate/token'

/** The PASSWORD grant of a new person by a new consumer. */
export function withPassword(
  options: ConsumerOptions,
  send: (consumer: Consumer, fields: { [name: string]: string }) => Parameters<typeof post>[3] & object,
  more: { readonly [name: string]: string } = {},
): Sent {
  return async ({ signIn: { access, url } }) => {
    const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'], ...options })
    const { login: username, password } = await makePerson(access)
    const fields = { grant_type: 'password', username, password, ...more }
    return post(url, PATH, fields, send(consumer, fields))
  }
}

export const byBasic = (consumer: Consumer) => ({ consumer })
export const byParameters = ({ clientId, secret }: Consumer, fields: { [name: string]: string }) => {
  Object.assign(fields, { client_id: clientId, client_secret: secret })
  return {}
}

/** Signed in by a code, in a new browser. */
export function byCode(options: ConsumerOptions, scope = 'openid service'): Sent {
  return async ({ signIn: { access, url } }) => {
    const client = await discover(url, await makeConsumer(access, options))
    const { reply, tokens } = await signIn(client, await makePerson(access), { scope })
    const { origin, pathname } = landing(reply)
    return {
      landing: origin + pathname,
      isGiven: tokens.access_token !== '',
      isRefreshed: tokens.refresh_token !== undefined,
      scope: tokens.scope,
    }
  }
}

/** What somebody sees whom an application has just sent there. */
async function arrive({ signIn: { access, url } }: World, browser = new CookieClient()) {
  const { url: address } = await begin(await discover(url, await makeConsumer(access)))
  const first = await browser.get(address)
  return { browser, first, page: await browser.follow(first) }
}

/**
 * With these methods and no others; afterwards only the internal one is there again. The external one has the configuration
 * of the specification, and nothing more.
 */
export async function withMethods<T>(
  world: World,
  work: () => Promise<T>,
  external: Status | null,
  internal: Status,
): Promise<T> {
  const { access } = world.signIn
  const [own] = await listMethods(access)
  const made =
    external === null
      ? null
      : await createDelegatedMethod(access, {
          status: external,
          name: 'The company',
          configuration: { clientId: AUDIENCE, issuer: world.company.issuer },
        })
  await updateMethod(access, own?.uuid ?? '', { status: internal })
  return work().finally(async () => {
    await updateMethod(access, own?.uuid ?? '', { status: 'ACTIVATED' })
    if (made !== null) await deleteMethod(access, made.uuid)
  })
}

export function arriving(external: Status | null, internal: Status = 'ACTIVATED'): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const { first, page } = await arrive(world)
        const { pathname, searchParams } = new URL(page.url)
        return { path: pathname, parameters: [...searchParams.keys()], ...seen(page), leaves: first.headers.location }
      },
      external,
      internal,
    )
}

const seen = ({ text }: Reply) => ({
  asksForPassword: text.includes('type="password"'),
  namesCompany: text.includes('The company'),
})

/** How often the company is asked when its token comes again. */
export const tokenAgain: Sent = (world) =>
  withMethods(
    world,
    async () => {
      const email = `eve-${crypto.randomUUID().slice(0, 8)}@corp.example`
      const token = await world.company.sign({ sub: email, email, email_verified: true })
      await whoIs(world, token)
      const before = world.company.asked()
      const { me } = await whoIs(world, token)
      return { isThem: me === email, askedAgain: world.company.asked() - before }
    },
    'ACTIVATED',
    'ACTIVATED',
  )

/** Signed in by a request that names no address, and what the token says of the person. */
export const byDefault: Sent = async ({ signIn: { access, url } }) => {
  const consumer = await makeConsumer(access, { defaultRedirectUri: CALLBACK, scopes: ['service', 'email'] })
  const person = await makePerson(access)
  const browser = new CookieClient()
  const query = `client_id=${consumer.clientId}&response_type=code&scope=service+email&state=s`
  const reply = await enterPassword(browser, await browser.open(`${url}/authenticate?${query}`), person)
  const { origin, pathname, searchParams } = landing(reply)
  const code = searchParams.get('code') ?? ''
  const { body } = await post(url, PATH, { grant_type: 'authorization_code', code }, { consumer })
  const headers = { authorization: `Bearer ${String(body['access_token'])}` }
  const answer = await fetch(`${url}/authenticate/userinfo`, { headers })
  return { landing: origin + pathname, scope: body['scope'], status: answer.status, user: await answer.json() }
}

/** The PASSWORD grant, and what its refresh token is worth. */
export function refreshed(grantTypes: readonly string[]): Sent {
  return async ({ signIn: { access, url } }) => {
    const consumer = await makeConsumer(access, { grantTypes: [...grantTypes] })
    const { login: username, password } = await makePerson(access)
    const { body } = await post(url, PATH, { grant_type: 'password', username, password }, { consumer })
    const refresh = body['refresh_token']
    if (typeof refresh !== 'string') return { isRefreshed: false }
    const again = await post(url, PATH, { grant_type: 'refresh_token', refresh_token: refresh }, { consumer })
    return { isRefreshed: typeof again.body['access_token'] === 'string' }
  }
}

/** What somebody may with a token of the company. */
export function asForeigner(claims: object, times = 1): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const email = `eve-${crypto.randomUUID().slice(0, 8)}@corp.example`
        const token = await world.company.sign({ sub: email, email, email_verified: true, ...claims })
        const answers = []
        for (let time = 0; time < times; time++) answers.push(await whoIs(world, token))
        const [{ status, me } = { status: 0, me: undefined }] = answers
        return { status, isThem: me === email, isSame: answers.every((answer) => answer.me === me) }
      },
      'ACTIVATED',
      'ACTIVATED',
    )
}

async function whoIs(world: World, token: string): Promise<{ status: number; me?: string | undefined }> {
  const { status, json } = await ask(world, token, '{ me { login } }')
  const { data } = json as { data?: { me?: { login: string } } }
  return { status, me: data?.me?.login }
}

async function ask({ signIn: { url } }: World, token: string, query: string) {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
  return { status: answer.status, json: (await answer.json()) as object }
}

const QUERIES = {
  me: '{ me { login } }',
  domain: '{ currentDomain { name } }',
  systems: '{ systems { totalCount } }',
  administration: '{ authenticationMethods { uuid } }',
} as const

/** Which of the queries the platform answers to a token of the company, and whom it takes the person for. */
export function may(claimsFor: (world: World) => Promise<{ readonly email: string }>, more: object = {}): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const { email } = await claimsFor(world)
        const token = await world.company.sign({ sub: email, email, email_verified: true, ...more })
        const answered = Object.entries(QUERIES).map(async ([name, query]) => {
          const { json } = await ask(world, token, query)
          return [name, !('errors' in json)] as const
        })
        const isThem = (await whoIs(world, token)).me === email
        return { isThem, ...Object.fromEntries(await Promise.all(answered)) }
      },
      'ACTIVATED',
      'ACTIVATED',
    )
}

/** A user of the model, who has this role beside what every user has. */
export const userOfModel =
  (role?: Role) =>
  async ({ signIn: { access } }: World) => {
    const { login: email } = await makePerson(access)
    if (role !== undefined) await createRecord({ ...access, actorName: 'tester' }, ACCESS, { role, user: email }, [])
    return { email }
  }

export const newPerson = () => Promise.resolve({ email: `zoe-${crypto.randomUUID().slice(0, 8)}@corp.example` })

/** A user of the model whose address another method has in `emailDomains`. */
export function whomAnotherMethodCovers(world: World): Promise<unknown> {
  const configuration = { clientId: 'another', issuer: 'https://another.example', emailDomains: ['example.org'] }
  return withMethods(
    world,
    async () => {
      const { access } = world.signIn
      const { login: email } = await makePerson(access)
      const other = await createDelegatedMethod(access, { status: 'ACTIVATED', configuration })
      const { status } = await whoIs(world, await world.company.sign({ sub: email, email, email_verified: true }))
      await deleteMethod(access, other.uuid)
      return { status }
    },
    'ACTIVATED',
    'ACTIVATED',
  )
}

/** Of somebody, or an application, whose record is in this state. */
export function inState(status: Status, who: 'person' | 'machine' | 'client'): Sent {
  return async ({ signIn: { access, url } }) => {
    const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'] })
    const account = await (who === 'machine' ? makeMachineUser(access) : makePerson(access))
    await change(access, who === 'client' ? consumer.uuid : account.uuid, { status })
    const fields = { grant_type: 'password', username: account.login, password: account.password }
    return { isGiven: (await post(url, PATH, fields, { consumer })).status === 200 }
  }
}

/** Of somebody whose organization is in this state. */
export function ofOrganization(status: Status): Sent {
  return async ({ signIn: { access, url } }) => {
    const alias = `o-${crypto.randomUUID().slice(0, 8)}`
    const organization = { name: 'Acme', alias, status }
    await makeModelRecord(access, { type: 'organizations', key: alias }, organization, null)
    const [consumer, person] = [await makeConsumer(access, { grantTypes: ['PASSWORD'] }), await makePerson(access)]
    await change(access, person.uuid, { organization: { alias } })
    const fields = { grant_type: 'password', username: person.login, password: person.password }
    return { isGiven: (await post(url, PATH, fields, { consumer })).status === 200 }
  }
}

export function foreignTokenOfAnotherKey(): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const token = await world.company.sign({ email: 'eve@corp.example', email_verified: true })
        return whoIs(world, `${token.slice(0, -10)}AAAAAAAAAA`)
      },
      'ACTIVATED',
      'ACTIVATED',
    )
}
