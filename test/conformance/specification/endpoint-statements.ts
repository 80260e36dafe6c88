import { encode } from '@msgpack/msgpack'
import { expect } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { REST_ROUTES } from '../../../src/server/routes/rest-routes.ts'
import type { Answer, Call } from '../../server/test-server.ts'
import { ADD, datapoints, graphql, leavesScope, partialImports, request } from './sent.ts'
import { section, type Statement, type World } from './statement.ts'

// Section 4: the endpoints and operations; section 9 with them.

const asText = (pattern: RegExp): unknown => expect.stringMatching(pattern)
const UUID = asText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const withoutToken = (operation: string): Call => {
  const [verb = '', path = ''] = operation.split(' ')
  return { method: verb, path, authorization: null, ...(verb === 'POST' && { body: '[]' }) }
}

const QUERY = JSON.stringify({ query: '{ currentDomain { name } }' })
const members = ({ json }: Answer) => Object.keys(json as object)
const get = (path: string): Call => ({ method: 'GET', path, authorization: null })

/** A batch of one boolean, as the specification shows it. */
function batch(change: (body: JsonObject) => JsonObject = (body) => body, call: Call = {}): (world: World) => Call {
  return ({ site }) => ({
    path: ADD,
    body: JSON.stringify([change(site.point('boolean', true) as unknown as JsonObject)]),
    ...call,
  })
}

const without = (name: string) => (body: JsonObject) => {
  const { [name]: _, ...rest } = body
  return rest
}

const CONSUMER = `mutation {
  createApplicationConsumer(
    name: "My application"
    slug: "my-application"
    secret: "my-secret-that-nobody-guesses"
    grantTypes: [AUTHORIZATION_CODE, REFRESH_TOKEN]
    defaultRedirectUri: "https://my.application/callback"
    redirectUris: ["https://my.application/callback", "https://my.application/other"]
    scopes: ["service", "email"]
  ) { uuid identifier secret defaultRedirectUri redirectUris status grantTypes name slug scopes }
}`

const LEAST_CONSUMER = `mutation {
  createApplicationConsumer(name: "A", slug: "least", secret: "my-secret-that-nobody-guesses", grantTypes: [PASSWORD]) {
    identifier defaultRedirectUri redirectUris scopes
  }
}`

const method = (client: string, fields = '') =>
  `mutation { createOpenIdDelegatedAuthenticationMethod(${fields}configuration: {clientId: "${client}", issuer: "https://login.example.com"}) { uuid status } }`

export const ENDPOINT_STATEMENTS: readonly Statement[] = [
  ...section(
    '4 POST /graphql',
    ['takes a JSON object with the member query', request({ body: QUERY }), { status: 200, json: { data: {} } }],
    [
      'answers an object with the member data',
      request({ body: QUERY }),
      { json: { data: { currentDomain: { name: 'The second' } } } },
    ],
    ['and errors on failure', graphql('{ noSuchField }'), { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }],
    ['and nothing beside it otherwise', ({ server }) => server.call({ body: QUERY }).then(members), ['data']],
    ['needs a bearer token', request({ body: QUERY, authorization: null }), { status: 401 }],
    [
      'and has errors also where there is no token',
      request({ body: QUERY, authorization: null }),
      { json: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } },
    ],
    ['needs one that is valid', request({ body: QUERY, authorization: 'Bearer other' }), { status: 401 }],
    [
      'takes application/json only',
      request({ body: QUERY, headers: { 'content-type': 'text/plain' } }),
      { status: 415 },
    ],
  ),
  ...section(
    '4 POST /rest/v1/data-points/add',
    ['takes an array of datapoints', request(batch()), { status: 201 }],
    ['answers nothing', request(batch()), { text: '', headers: { 'content-length': '0' } }],
    ['and X-Service-Change', request(batch()), { headers: { 'x-service-change': asText(/^[\w.-]{8,}$/) } }],
    ['and X-Trace-ID', request(batch()), { headers: { 'x-trace-id': asText(/^[0-9a-f]{32}$/) } }],
    [
      'and Strict-Transport-Security',
      request(batch()),
      { headers: { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } },
    ],
    ['needs a bearer token', request(batch(undefined, { authorization: null })), { status: 401 }],
    ...(['application/vnd.msgpack', 'application/msgpack'] as const).map(
      (type) =>
        [
          `takes MessagePack, as ${type}`,
          request(({ site }) => ({
            path: ADD,
            body: encode([site.point('boolean', true)]),
            headers: { 'content-type': type },
          })),
          { status: 201 },
        ] as const,
    ),
    [
      'takes no other media type',
      request(batch(undefined, { headers: { 'content-type': 'text/csv' } })),
      { status: 415 },
    ],
    ['takes nothing but an array', request({ path: ADD, body: '{}' }), { status: 400 }],
    ...['characteristic_uuid', 'component_uuid', 'service_uuid', 'system_uuid', 'value'].map(
      (name) => [`${name} is required`, request(batch(without(name))), { status: 422 }] as const,
    ),
    ...['characteristic_uuid', 'component_uuid', 'service_uuid', 'system_uuid'].map(
      (name) => [`${name} is a UUID`, request(batch((body) => ({ ...body, [name]: 'x' }))), { status: 422 }] as const,
    ),
    ['value may be false', datapoints('boolean', false), { status: 201 }],
    [
      'takes large datasets in one batch',
      request(({ site }) => ({
        path: ADD,
        body: JSON.stringify(Array.from({ length: 5_000 }, (_, index) => site.point('boolean', index % 2 === 0))),
      })),
      { status: 201 },
    ],
  ),
  ...section(
    '4 createApplicationConsumer',
    [
      'has these arguments and fields',
      graphql(CONSUMER),
      {
        data: {
          createApplicationConsumer: {
            uuid: UUID,
            identifier: asText(/^my-application\.[0-9a-f]{8}$/),
            secret: 'my-secret-that-nobody-guesses',
            defaultRedirectUri: 'https://my.application/callback',
            redirectUris: ['https://my.application/callback', 'https://my.application/other'],
            status: 'ACTIVATED',
            grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
            name: 'My application',
            slug: 'my-application',
            // A set: in the order of the alphabet.
            scopes: ['email', 'service'],
          },
        },
      },
    ],
    [
      'of which the addresses and scopes may be left out',
      graphql(LEAST_CONSUMER),
      { data: { createApplicationConsumer: { defaultRedirectUri: null, redirectUris: null, scopes: null } } },
    ],
    [
      'takes any secret',
      graphql(
        'mutation { createApplicationConsumer(name: "B", slug: "b", secret: "my-secret", grantTypes: [PASSWORD]) { uuid } }',
      ),
      { errors: [{ extensions: { code: 'BAD_USER_INPUT', details: [{ code: 'weak-secret' }] } }] },
      'Everybody who guesses the secret signs in as the application, so Holdfast rejects a secret that is short, common or made of the name. A document may have one, and gets a warning.',
    ],
    [
      'is a mutation that fails by name',
      graphql(
        'mutation { createApplicationConsumer(name: "B", slug: "b", secret: "my-secret-that-nobody-guesses", grantTypes: [PASSWORD], redirectUris: ["https://a.example/#b"]) { uuid } }',
      ),
      {
        data: null,
        errors: [
          {
            message: asText(/^the ApplicationConsumer is not valid, and nothing was changed: the address/),
            extensions: { code: 'BAD_USER_INPUT', details: [{ code: 'redirect-uri' }] },
          },
        ],
      },
    ],
  ),
  ...section(
    '4 createOpenIdDelegatedAuthenticationMethod',
    [
      'has status and configuration, and gives uuid and status',
      graphql(method('first', 'status: ACTIVATED, ')),
      { data: { createOpenIdDelegatedAuthenticationMethod: { uuid: UUID, status: 'ACTIVATED' } } },
    ],
    [
      'is ACTIVATED where no status is given',
      graphql(method('second')),
      { data: { createOpenIdDelegatedAuthenticationMethod: { status: 'ACTIVATED' } } },
    ],
  ),
  ...section('2 DomainAuthenticationMethod', [
    'is read with uuid, status and configuration: clientId and issuer',
    async (world) => {
      await graphql(method('read', 'status: DEACTIVATED, '))(world)
      return graphql('{ authenticationMethods { uuid status configuration { clientId issuer } } }')(world)
    },
    {
      data: {
        authenticationMethods: expect.arrayContaining([
          {
            uuid: UUID,
            status: 'DEACTIVATED',
            configuration: { clientId: 'read', issuer: 'https://login.example.com' },
          },
        ]) as unknown,
      },
    },
  ]),
  ...section(
    '1 Import document',
    [
      'a record type that a later document does not have is neither imported nor deleted',
      partialImports,
      {
        outcome: 'no-changes',
        notManaged: expect.arrayContaining(['metadataTypes']) as unknown,
        metadataTypes: { nodes: [{ key: 'kept' }] },
      },
    ],
    [
      'a record type that the models in Git no longer have is left alone',
      leavesScope,
      { outcome: 'blocked', changes: [], guards: ['leaves-scope'] },
      'Nothing is deleted, but the guard `leaves-scope` blocks the plan (exit code 3) until `holdfast.yaml` acknowledges it. The key disappears with the last record of a type, or with a file, and nobody would notice that the records stay. An import by REST, or by GraphQL without settings, does not ask.',
    ],
  ),
  ...section('4 currentDomain', [
    'gives uuid, name and hostNames',
    graphql('{ currentDomain { uuid name hostNames } }'),
    { data: { currentDomain: { uuid: UUID, name: 'The second', hostNames: ['second.example'] } } },
  ]),
  ...section(
    '4 Endpoints',
    [
      'the configuration lists the endpoints',
      request(get('/.well-known/openid-configuration')),
      {
        status: 200,
        json: {
          authorization_endpoint: 'http://second.example/authenticate',
          token_endpoint: 'http://second.example/authenticate/token',
          jwks_uri: 'http://second.example/authenticate/keys',
          userinfo_endpoint: 'http://second.example/authenticate/userinfo',
        },
      },
    ],
    [
      '/authenticate/keys has the key set',
      request(get('/authenticate/keys')),
      { status: 200, json: { keys: [{ kty: asText(/^(EC|RSA)$/) }] } },
    ],
    ['/authenticate/userinfo needs a bearer token', request(get('/authenticate/userinfo')), { status: 401 }],
    ...REST_ROUTES.map(
      ({ operation }) => [`so does ${operation}`, request(withoutToken(operation)), { status: 401 }] as const,
    ),
  ),
  ...section('7 Errors', [
    'a failure of a request is an HTTP status',
    request({ path: ADD, body: 'x' }),
    { status: 400 },
  ]),
  ...section(
    '8 Limits',
    ...(
      [
        ['/nowhere', 404],
        ['/graphql', 401],
        ['/rest/v1/data-points', 401],
        ['/.well-known/openid-configuration', 200],
        ['/authenticate', 400],
        ['/authenticate/keys', 200],
        ['/authenticate/userinfo', 401],
        ['/login', 400],
      ] as const
    ).map(
      ([path, status]) =>
        [
          `the answer of ${path} has Strict-Transport-Security, too`,
          request(get(path)),
          { status, headers: { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } },
        ] as const,
    ),
  ),
  ...section(
    '9 Versioning',
    ['the REST API is below /rest/v1', request(batch(undefined, { path: '/rest/data-points/add' })), { status: 404 }],
    [
      'the import schema is of draft 2020-12',
      request({ method: 'GET', path: '/rest/v1/import-document.schema.json' }),
      { status: 200, json: { $schema: 'https://json-schema.org/draft/2020-12/schema' } },
    ],
  ),
]
