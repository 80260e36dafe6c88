import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_ROUTES, REST_ROUTES } from '../../src/server/routes/rest-routes.ts'
import { scopesGiving } from '../../src/auth/scopes.ts'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { schemaAt, undescribed, unexplained, type Exchange } from './described-answers.ts'
import { HOSTS, type Answer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

// What /rest/v1/openapi.json says is so. That the answers of all other tests are as it says is checked by the test server.

interface Operation {
  readonly operationId: string
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly examples?: Examples } } }
}
type Examples = {
  readonly [name: string]: { readonly value: object | readonly { readonly [field: string]: unknown }[] }
}
interface OpenApi {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly securitySchemes: unknown }
}

let site: AnySite
let openApi: OpenApi

useServer()
beforeAll(async () => {
  site = await makeAnySite(context, { level: { dataType: 'FLOAT' } })
  openApi = (await get('/rest/v1/openapi.json')).json as OpenApi
})

const get = (path: string): Promise<Answer> => server.call({ method: 'GET', path })

function operationOf(operation: string): Operation {
  const [method = '', path = ''] = operation.split(' ')
  const found = openApi.paths[path]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`${operation} is not described`)
  return found
}

const OPERATIONS = REST_ROUTES.map(({ operation }) => operation)
const ALL = [...REST_ROUTES, ...PUBLIC_ROUTES].map(({ operation }) => operation)

it('is OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(openApi) as unknown as Record<string, unknown>)).toEqual({
    valid: true,
  })
  expect(validator.version).toBe('3.1')
})

it('says of each list what its items are', () => {
  const lists: { readonly type?: unknown; readonly items?: unknown }[] = []
  JSON.stringify(openApi, (_, value: { readonly type?: unknown } | null) => {
    if ([value?.type].flat().includes('array')) lists.push(value ?? {})
    return value
  })
  expect(lists.length).toBeGreaterThan(5)
  expect(lists.filter(({ items }) => items === undefined)).toStrictEqual([])
})

it('has every operation of the REST API, and no other', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toStrictEqual(ALL.toSorted())
  expect(new Set(ALL.map((operation) => operationOf(operation).operationId)).size).toBe(ALL.length)
})

it.each(REST_ROUTES)('names the scopes of which each is enough for $operation', ({ operation, right }) => {
  const scopes = scopesGiving(right)
  const named = (scheme: string) => operationOf(operation).security.flatMap((one) => one[scheme] ?? [])
  expect(named('oauth2')).toStrictEqual(scopes)
  expect(named('openIdConnect')).toStrictEqual(scopes)
})

it('names the addresses of the domain that was asked', async () => {
  const { json } = await server.call({ method: 'GET', path: '/rest/v1/openapi.json', host: HOSTS.second })
  const { servers, components } = json as OpenApi
  expect(servers).toStrictEqual([{ url: `http://${HOSTS.second}` }])
  const configuration = (
    await server.call({ method: 'GET', path: '/.well-known/openid-configuration', host: HOSTS.second })
  ).json
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = configuration as {
    [name: string]: string
  }
  expect(components.securitySchemes).toMatchObject({
    oauth2: {
      flows: { authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl }, password: { tokenUrl } },
    },
    openIdConnect: { openIdConnectUrl: `http://${HOSTS.second}/.well-known/openid-configuration` },
  })
})

it.each(OPERATIONS.filter((operation) => operation.startsWith('GET')))(
  '%s has the parameters that the route knows',
  async (operation) => {
    const { json } = await get(`${operation.split(' ')[1]}?nonsense=1`)
    const { detail } = json as { detail: string }
    const known = /possible are (.*)$/.exec(detail)?.[1]?.split(', ') ?? []
    const { parameters = [] } = operationOf(operation)
    expect(parameters.filter((one) => one.in === 'query').map(({ name }) => name)).toStrictEqual(known)
  },
)

/** With what is there in place of what is not. */
function real(element: { readonly [field: string]: unknown }): object {
  const { value: _, ...uuids } = site.point('level', null)
  return 'system_uuid' in element ? { ...element, ...uuids } : element
}

describe('the examples', () => {
  it.each(OPERATIONS.filter((operation) => operation.startsWith('POST')))(
    'of %s are as described, and taken',
    async (operation) => {
      const [, path = ''] = operation.split(' ')
      const { examples = {} } = operationOf(operation).requestBody?.content['application/json'] ?? {}
      expect(Object.keys(examples)).not.toStrictEqual([])
      const validate = schemaAt(['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'])
      for (const { value } of Object.values(examples)) {
        expect({ isDescribed: validate(value), errors: validate.errors }).toEqual({ isDescribed: true, errors: null })
        const answer = await server.call({ path, body: JSON.stringify(Array.isArray(value) ? value.map(real) : value) })
        // There is nothing to acknowledge yet, and that is all that is wrong.
        const isUnknown = (answer.json as { errors?: { code: string }[] } | undefined)?.errors?.every(
          ({ code }) => code === 'unknown-setpoint',
        )
        expect(isUnknown === true ? 201 : answer.status).toBe(Array.isArray(value) ? 201 : 200)
      }
    },
  )

  it('are answered as described when they are read again', async () => {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('level', null)
    const series = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
    const range = 'from=2026-01-31T00:00:00Z&to=2026-02-01T00:00:00Z'
    for (const query of [
      '',
      `&${range}&interval=PT1H&aggregations=avg,time_weighted_avg,last`,
      `&${range}&max_points=10`,
    ])
      expect(await get(`/rest/v1/data-points?${series}${query}`)).toMatchObject({ status: 200 })
    expect((await get(`/rest/v1/set-points/pending?component_uuid=${component_uuid}`)).json).toMatchObject([
      { value: 21.5 },
    ])
  })
})

describe('the check of answers finds', () => {
  const uuids = { system_uuid: 'a', component_uuid: 'b', service_uuid: 'c', characteristic_uuid: 'd' }
  const headers = {
    'x-trace-id': '0'.repeat(32),
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-service-change': 'abc',
  }
  const fine: Exchange = {
    method: 'POST',
    path: '/rest/v1/data-points/add',
    headers: {},
    body: '[]',
    answer: { status: 201, headers, json: undefined, text: '' },
  }
  const problem = { ...headers, 'content-type': 'application/problem+json' }

  it.each<[string, Partial<Exchange>, Partial<Exchange['answer']>]>([
    ['a status', {}, { status: 200 }],
    ['a missing header', {}, { headers: { ...headers, 'x-service-change': undefined } }],
    ['a wrong header', {}, { headers: { ...headers, 'x-trace-id': 'abc' } }],
    ['a body', {}, { text: '{}' }],
    ['a media type', {}, { status: 400, json: {}, headers: { ...problem, 'content-type': 'text/html' } }],
    ['a wrong body', {}, { status: 400, json: {}, headers: problem }],
    ['a parameter', { path: `${fine.path}?force=1` }, {}],
    ['an accepted body', { body: JSON.stringify([{ ...uuids, value: 1 }]) }, {}],
  ])('%s that is not described', (_, request, answer) => {
    expect(undescribed({ ...fine, ...request, answer: { ...fine.answer, ...answer } })).toHaveLength(1)
  })

  it.each([
    ['a status that the page of errors does not have', { status: 404, code: 'CONFLICT', type: '/errors#CONFLICT' }],
    ['a type that leads elsewhere', { status: 409, code: 'CONFLICT', type: 'about:blank' }],
    ['a code that nobody knows', { status: 409, code: 'STRANGE', type: '/errors#STRANGE' }],
  ])('%s', (_, json) => {
    const answer = { status: json.status, json, text: '', headers: problem }
    expect(unexplained(answer)).toHaveLength(1)
    const known = { status: 409, code: 'CONFLICT', type: '/errors#CONFLICT' }
    expect(unexplained({ ...answer, status: 409, json: known })).toStrictEqual([])
  })

  it('nothing in what is described, or in what it is not about', () => {
    expect(undescribed(fine)).toStrictEqual([])
    expect(undescribed({ ...fine, path: '/graphql' })).toStrictEqual([])
  })
})
