import { createDelegatedMethod, type DelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import type { Database } from '../../src/db/sql.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { AUDIENCE, startCompany, type Company } from '../support/company.ts'
import { startSignIn, type SignInServer } from './oidc/sign-in-server.ts'

// Two servers of one platform, an administrator, and a company whose provider they trust in this or that.

export interface World {
  readonly company: Company
  /** Two processes of one platform. */
  readonly servers: readonly [SignInServer, SignInServer]
  /** By GraphQL, as an administrator. */
  administer<Data>(query: string, variables?: object): Promise<Data>
  trust(terms?: object): Promise<DelegatedMethod>
  /** What the two servers answer to who holds this token. */
  me(token: string): Promise<readonly [Me, Me]>
  /** What the first one answers. */
  meHere(token: string): Promise<Me>
  close(): Promise<void>
}

/** A login, or the status of a refusal with what it says. */
export type Me = string | { readonly status: number; readonly detail: string }

export async function startWorld(database: Database, now: () => Date = () => new Date()): Promise<World> {
  const company = await startCompany(now)
  const options = { allowedIssuers: [company.issuer], now }
  const servers = [await startSignIn(database, options), await startSignIn(database, options)] as const
  const [{ access }] = servers
  const expiresAt = new Date(now().getTime() + 86_400_000)
  const administrator = await giveToken(access, await makeMachine(access, 'operator'), { expiresAt })
  return {
    company,
    servers,
    async administer<Data>(query: string, variables: object = {}) {
      const { json } = await ask(servers[0], administrator, query, variables)
      if (json['errors'] !== undefined) throw new Error(JSON.stringify(json['errors']))
      return json['data'] as Data
    },
    trust: (terms = {}) =>
      createDelegatedMethod(access, {
        status: 'ACTIVATED',
        name: 'The company',
        configuration: { clientId: AUDIENCE, issuer: company.issuer, ...terms },
      }),
    me: (token) => Promise.all([whoIs(servers[0], token), whoIs(servers[1], token)]),
    meHere: (token) => whoIs(servers[0], token),
    async close() {
      await Promise.all(servers.map((server) => server.close()))
      company.close()
    },
  }
}

async function whoIs(server: SignInServer, token: string): Promise<Me> {
  const { status, json } = await ask(server, token, '{ me { login } }')
  if (status !== 200) return { status, detail: String(json['detail']) }
  return (json['data'] as { me: { login: string } }).me.login
}

export async function ask(
  { url }: SignInServer,
  token: string,
  query: string,
  variables: object = {},
): Promise<{ readonly status: number; readonly json: { readonly [member: string]: unknown } }> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })
  return { status: answer.status, json: (await answer.json()) as { [member: string]: unknown } }
}

export interface ListedIdentity {
  readonly uuid: string
  readonly subject: string
  readonly email: string | null
  readonly account: { readonly uuid: string; readonly login: string; readonly isOfModel: boolean } | null
  readonly refusal: string | null
  readonly refusalDetail: string | null
}

export async function listIdentities({ administer }: World, filter = ''): Promise<readonly ListedIdentity[]> {
  const { externalIdentities: page } = await administer<{ externalIdentities: { nodes: ListedIdentity[] } }>(
    `{ externalIdentities${filter} { nodes {
         uuid subject email account { uuid login isOfModel } refusal refusalDetail } } }`,
  )
  return page.nodes
}

export function createUser({ administer }: World, email: string): Promise<{ readonly createUser: { uuid: string } }> {
  return administer(`mutation ($email: String!) { createUser(input: { email: $email }) { uuid } }`, { email })
}

export function updateUser({ administer }: World, email: string, status: string): Promise<unknown> {
  return administer(
    `mutation ($email: String!, $status: Status!) { updateUser(email: $email, input: { status: $status }) { uuid } }`,
    { email, status },
  )
}
