import { SCOPES, scopesGiving, type Right } from '../../auth/scopes.ts'
import { entriesOf } from '../../lib/entries.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import type { Limits } from '../requests/limits.ts'
import type { PublicRoute, RestRoute } from './rest-route.ts'
import { deprecationText } from '../deprecation.ts'
import { ALWAYS, FOR_EVERYBODY, HEADERS, RESPONSES, withDeprecation } from '../openapi/responses.ts'
import type { OperationDescription } from '../openapi/operation.ts'
import { schemasOf } from '../openapi/schemas.ts'

const TAGS: { readonly [tag in OperationDescription['tag']]: string } = {
  Datapoints: 'Values that devices measure.',
  Setpoints: 'Values that devices are to set.',
  'Data model': 'Imports of the model without Git.',
  Descriptions: 'The API in machine-readable form.',
}

export interface Described {
  /** The public address of the domain. */
  readonly issuer: string
  readonly limits: Pick<Limits, 'batchPoints'>
}

/** Returns the OpenAPI 3.1 document for the REST API of a domain. */
export function openApiDocument(
  routes: readonly (RestRoute | PublicRoute)[],
  { issuer, limits }: Described,
): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: '1',
      summary: 'Datapoints and setpoints of devices, and imports of the data model.',
      description: `Everything else is available through GraphQL at ${issuer}/graphql.`,
      contact: { name: 'The operator of this platform', url: issuer },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: issuer }],
    tags: entriesOf(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(routes),
    components: {
      schemas: schemasOf(limits),
      responses: RESPONSES,
      headers: HEADERS,
      securitySchemes: securitySchemes(issuer),
    },
  }
}

function pathsOf(routes: readonly (RestRoute | PublicRoute)[]): JsonObject {
  const operations = routes.map((route) => {
    const [method = '', path = ''] = route.operation.split(' ')
    return { path, operation: [method.toLowerCase(), operationObject(route)] as const }
  })
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return Object.fromEntries(
    [...byPath].map(([path, own]) => [path, Object.fromEntries(own.map(({ operation }) => operation))]),
  )
}

/** The members are in the order in which people read them. */
function operationObject(route: RestRoute | PublicRoute): JsonObject {
  const { operationId, summary, description, parameters, requestBody, deprecated } = route
  const needs = 'right' in route ? `Needs the right \`${route.right}\`.` : 'Needs no token.'
  const own = deprecated ? withDeprecation(route.responses) : route.responses
  return {
    operationId,
    summary,
    description: [description, needs, ...(deprecated ? [deprecationText(deprecated)] : [])].join('\n\n'),
    ...(deprecated && { deprecated: true }),
    ...(parameters && { parameters: parameters.map((one) => ({ ...one })) }),
    ...(requestBody && { requestBody }),
    tags: [route.tag],
    security: 'right' in route ? securityOf(route.right) : [],
    responses: { ...('right' in route ? ALWAYS : FOR_EVERYBODY), ...own },
  }
}

/** Each scope that gives the right is enough, no matter how the token was issued. */
function securityOf(right: Right): Json {
  const scopes = scopesGiving(right)
  return [
    ...scopes.map((scope) => ({ oauth2: [scope] })),
    ...scopes.map((scope) => ({ openIdConnect: [scope] })),
    { bearer: scopes.slice(0, 1) },
  ]
}

function securitySchemes(issuer: string): JsonObject {
  const scopes = Object.fromEntries(Object.entries(SCOPES).map(([scope, { allows }]) => [scope, allows]))
  const tokenUrl = `${issuer}/authenticate/token`
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token of this platform, or an OpenID token of a provider that it trusts.',
    },
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/authenticate`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes,
        },
        password: { tokenUrl, scopes },
      },
    },
    openIdConnect: { type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` },
  }
}
