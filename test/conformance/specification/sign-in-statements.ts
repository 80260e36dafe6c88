import { expect } from 'vitest'
import { begin, discover, enterPassword, post, signIn } from '../../server/oidc/application.ts'
import { CALLBACK, makeConsumer, makeMachineUser, makePerson } from '../../server/oidc/people.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import {
  arriving,
  byDefault,
  refreshed,
  tokenAgain,
  asForeigner,
  byBasic,
  byCode,
  byParameters,
  foreignTokenOfAnotherKey,
  inState,
  may,
  newPerson,
  ofOrganization,
  PATH,
  userOfModel,
  whomAnotherMethodCovers,
  withMethods,
  withPassword,
} from './sign-in-sent.ts'
import { section, type Statement } from './statement.ts'

// Sections 3 and 5: who signs in, and how.

const GIVEN = { status: 200, body: { access_token: expect.any(String) as string } }
const PARAMETERS: unknown = expect.arrayContaining(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])

const THEY = { isThem: true, me: true, domain: true, systems: false, administration: false }

const STATES = (['person', 'machine', 'client'] as const).flatMap((who) => {
  const name = { person: 'a User', machine: 'a MachineUser', client: 'an ApplicationConsumer' }[who]
  return (['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'] as const).map(
    (status) => [`${name} may be ${status}`, inState(status, who), { isGiven: status === 'ACTIVATED' }] as const,
  )
})

export const SIGN_IN_STATEMENTS: readonly Statement[] = [
  ...section(
    '3 States',
    ...STATES,
    ['the login UI shows an ACTIVATED method', arriving('ACTIVATED'), { namesCompany: true }],
    ['and not one that is DEACTIVATED', arriving('DEACTIVATED'), { namesCompany: false }],
    ['nor one that is ARCHIVED', arriving('ARCHIVED'), { namesCompany: false }],
  ),
  ...section(
    '3 States, where it is silent',
    [
      'without the internal method nobody signs in by password',
      (world) => withMethods(world, () => inState('ACTIVATED', 'person')(world), 'ACTIVATED', 'DEACTIVATED'),
      { isGiven: false },
    ],
    [
      'but programs do',
      (world) => withMethods(world, () => inState('ACTIVATED', 'machine')(world), 'ACTIVATED', 'DEACTIVATED'),
      { isGiven: true },
    ],
    ['people of an organization that is DEACTIVATED sign in', ofOrganization('DEACTIVATED'), { isGiven: true }],
  ),
  ...section(
    '5 Client credentials',
    ['are sent as parameters', withPassword({}, byParameters), GIVEN],
    ['or by Basic', withPassword({}, byBasic), GIVEN],
    [
      'and are looked at',
      withPassword({}, ({ clientId }) => ({ consumer: { clientId, secret: 'other', uuid: '' } })),
      { status: 401, body: { error: 'invalid_client' } },
    ],
  ),
  ...section(
    '5 Password',
    ['a consumer with PASSWORD gets an access token', withPassword({}, byBasic), GIVEN],
    [
      'and no other one does',
      withPassword({ grantTypes: ['AUTHORIZATION_CODE'] }, byBasic),
      { status: 400, body: { error: 'unauthorized_client' } },
    ],
    [
      'it gets those of the asked scopes that are registered, and is told which',
      withPassword({ grantTypes: ['PASSWORD'], scopes: ['service', 'email'] }, byBasic, {
        scope: 'openid email profile',
      }),
      { status: 200, body: { scope: 'email' } },
    ],
    [
      'nor somebody with another password',
      withPassword({}, byBasic, { password: 'other' }),
      { status: 400, body: { error: 'invalid_grant' } },
    ],
    ['and with REFRESH_TOKEN one to refresh it with', refreshed(['PASSWORD', 'REFRESH_TOKEN']), { isRefreshed: true }],
    ['and without it none', refreshed(['PASSWORD']), { isRefreshed: false }],
    [
      'a machine user gets one too',
      async ({ signIn: { access, url } }) => {
        const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'] })
        const { login: username, password } = await makeMachineUser(access)
        return post(url, PATH, { grant_type: 'password', username, password }, { consumer })
      },
      GIVEN,
    ],
  ),
  ...section(
    '5 Authorization code',
    ['leads back to the registered address, with tokens', byCode({}), { landing: CALLBACK, isGiven: true }],
    [
      'REFRESH_TOKEN gives a refresh token',
      byCode({ grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'] }),
      { isRefreshed: true },
    ],
    ['without it there is none', byCode({ grantTypes: ['AUTHORIZATION_CODE'] }), { isRefreshed: false }],
    [
      'the scopes service and email are registered, and openid is asked for as well',
      byCode({ scopes: ['service', 'email'] }, 'openid email'),
      { scope: 'openid email' },
    ],
    [
      'and a library that always asks for profile gets the others',
      byCode({ scopes: ['service', 'email'] }, 'openid email profile'),
      { scope: 'openid email' },
    ],
    [
      'a request that names no address leads to the default one, and needs no other scopes than the registered ones',
      byDefault,
      {
        landing: CALLBACK,
        scope: 'service email',
        status: 200,
        user: { email: expect.stringContaining('@example.org') as string },
      },
    ],
    [
      'an address that is not registered is refused',
      async ({ signIn: { access, url } }) => {
        const { clientId } = await makeConsumer(access)
        const query = `client_id=${clientId}&response_type=code&redirect_uri=https://other.example/`
        const { status, headers } = await new CookieClient().get(`${url}/authenticate?${query}`)
        return { status, isSentThere: headers.location !== undefined }
      },
      { status: 400, isSentThere: false },
    ],
    [
      'the flag says whether consent is asked for',
      async (world) => {
        const { access, url } = world.signIn
        const begun = await begin(await discover(url, await makeConsumer(access, { noExplicitConsentRequired: false })))
        const browser = new CookieClient()
        const reply = await enterPassword(browser, await browser.open(begun.url), await makePerson(access))
        return { status: reply.status, asks: /name="decision" value="allow"/.test(reply.text) }
      },
      { status: 200, asks: true },
    ],
  ),
  ...section(
    '5 Which method',
    [
      '(a) several: /login, with the same parameters, lists those that are ACTIVATED',
      arriving('ACTIVATED'),
      { path: '/login', parameters: PARAMETERS, asksForPassword: true, namesCompany: true },
    ],
    [
      '(b) one external: straight to that provider',
      arriving('ACTIVATED', 'DEACTIVATED'),
      { leaves: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/) as string },
    ],
    [
      '(c) the internal one: a form that asks for user name and password',
      arriving(null),
      { path: '/login', asksForPassword: true, namesCompany: false },
    ],
  ),
  ...section(
    '5 OpenID delegated',
    ['a token of a trusted provider is a bearer token', asForeigner({}), { status: 200 }],
    ['its issuer is looked at', asForeigner({ iss: 'https://other.example' }), { status: 401 }],
    ['and its audience', asForeigner({ aud: 'other' }), { status: 401 }],
    ['and its signature', foreignTokenOfAnotherKey(), { status: 401 }],
    ['and whether it has expired', asForeigner({ exp: 1_700_000_000 }), { status: 401 }],
    ['a user who exists is that user, with what the role gives', may(userOfModel()), { ...THEY, systems: true }],
    [
      'a user who exists is that user, even if another method has the domain in emailDomains',
      whomAnotherMethodCovers,
      { status: 401 },
      "Otherwise either provider could act as the user. So only the method that names the domain vouches for its addresses. If none does, it is the provider of the user's first sign-in.",
    ],
    ['a user who does not exist is made', may(newPerson), THEY],
    ['and is the same one the next time', asForeigner({}, 3), { isThem: true, isSame: true }],
    ['and the provider is not asked again', tokenAgain, { isThem: true, askedAgain: 0 }],
    [
      'the platform gives an internal token for it',
      async (world) =>
        withMethods(
          world,
          async () => {
            const { access, url } = world.signIn
            const consumer = await makeConsumer(access)
            const claims = { sub: 'zoe', email: 'zoe@corp.example', email_verified: true }
            const fields = {
              grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
              subject_token: await world.company.sign(claims),
              subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
            }
            return post(url, PATH, fields, { consumer })
          },
          'ACTIVATED',
          'ACTIVATED',
        ),
      GIVEN,
    ],
  ),
  ...section(
    '5 OpenID delegated, by clientId and issuer alone, where it is silent',
    ['an administrator does not administer', may(userOfModel('administrator')), { ...THEY, systems: true }],
    [
      'without a verified address nobody is a user, and may ask me alone',
      may(userOfModel('administrator'), { email_verified: false }),
      { isThem: false, me: true, domain: false, systems: false, administration: false },
    ],
  ),
  ...section('4 /authenticate/userinfo', [
    'answers a bearer token with user information',
    async ({ signIn: { access, url } }) => {
      const { tokens } = await signIn(await discover(url, await makeConsumer(access)), await makePerson(access))
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const answer = await fetch(`${url}/authenticate/userinfo`, { headers })
      return { status: answer.status, body: await answer.json() }
    },
    { status: 200, body: { name: 'Ann Example', email: expect.stringContaining('@example.org') as string } },
  ]),
]
