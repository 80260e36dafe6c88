import { expect } from 'vitest'
import type { Credentials } from '../../src/server/process/credentials.ts'
import { CALLBACK, type Consumer, type Person } from '../server/oidc/people.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { passwordToken } from '../support/password-token.ts'

// Whoever runs a platform, and what they set up by GraphQL before others can sign in.

export interface Operator {
  readonly token: string
  /** Fails where there are errors. */
  graphql<Data>(query: string, variables?: object): Promise<Data>
}

export async function signInOperator(url: string, credentials: Credentials): Promise<Operator> {
  const token = await passwordToken(url, credentials)
  return {
    token,
    async graphql<Data>(query: string, variables: object = {}): Promise<Data> {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ query, variables })
      const answer = (await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json()) as Answer<Data>
      expect(answer.errors).toBeUndefined()
      return answer.data
    },
  }
}

interface Answer<Data> {
  readonly data: Data
  readonly errors?: unknown
}

/** A web application that signs people in, and programs by their passwords too. */
export async function registerConsumer(operator: Operator, fields: object = {}): Promise<Consumer> {
  const secret = `secret-of-the-portal-${crypto.randomUUID()}`
  const { created } = await operator.graphql<{ created: { uuid: string; identifier: string } }>(
    `mutation ($slug: String!, $name: String!, $secret: String!, $grantTypes: [GrantType!]!, $redirectUris: [String!],
       $scopes: [String!], $noExplicitConsentRequired: Boolean) {
       created: createApplicationConsumer(slug: $slug, name: $name, secret: $secret, grantTypes: $grantTypes,
         redirectUris: $redirectUris, scopes: $scopes, noExplicitConsentRequired: $noExplicitConsentRequired) {
         uuid identifier
       }
     }`,
    {
      slug: 'portal',
      name: 'Portal',
      secret,
      grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD', 'REFRESH_TOKEN'],
      redirectUris: [CALLBACK],
      scopes: ['openid', 'email', 'profile', 'service'],
      noExplicitConsentRequired: true,
      ...fields,
    },
  )
  return { uuid: created.uuid, clientId: created.identifier, secret }
}

export interface Invited extends Person {
  /** The value of the link by which they have set their password. */
  readonly link: string
}

/** A user who has followed the link of an invitation, and chosen a password. */
export async function invitePerson(operator: Operator, url: string, login: string): Promise<Invited> {
  const password = `a password of ${crypto.randomUUID()}`
  const { user, invitation } = await operator.graphql<{ user: { uuid: string }; invitation: { path: string } }>(
    `mutation ($email: String!) {
       user: createUser(input: { email: $email }) { uuid }
       invitation: createPasswordLink(email: $email) { path }
     }`,
    { email: login },
  )
  const address = new URL(invitation.path, url)
  const browser = new CookieClient()
  const page = await browser.open(address.href)
  expect((await browser.submit(page, { password, repeated: password })).text).toContain('Password saved')
  return { uuid: user.uuid, login, password, link: address.searchParams.get('link') ?? '' }
}
