import { Hono } from 'hono'
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RIGHTS } from '../../src/auth/scopes.ts'
import { badInput } from '../../src/lib/errors.ts'
import type { AppEnv } from '../../src/server/app-env.ts'
import { deprecationText } from '../../src/server/deprecation.ts'
import { operation } from '../../src/server/graphql/operation.ts'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { TEXT } from '../../src/server/graphql/scalars.ts'
import { answer } from '../../src/server/openapi/responses.ts'
import { problemResponse } from '../../src/server/requests/error-response.ts'
import { DEFAULT_LIMITS } from '../../src/server/requests/limits.ts'
import { openApiDocument } from '../../src/server/routes/openapi-document.ts'
import { addRestRoutes, type RestRoute, type RestServices } from '../../src/server/routes/rest-route.ts'
import { PUBLIC_ROUTES, REST_ROUTES } from '../../src/server/routes/rest-routes.ts'

// What docs/versioning.md promises of deprecated parts. None is deprecated now, so these tests declare their own.

const ROUTES = [...REST_ROUTES, ...PUBLIC_ROUTES]
const DEPRECATED = { since: '2027-01-31', until: '2027-08-31', instead: 'Use GET /rest/v1/new.' }

const OLD: RestRoute = {
  operation: 'GET /rest/v1/old',
  right: 'data:read',
  keepsWithin: true,
  operationId: 'readOld',
  tag: 'Datapoints',
  summary: 'Old',
  description: 'The old one.',
  responses: { 200: answer('It.', null) },
  deprecated: DEPRECATED,
  handle: () => (context) => {
    if (context.req.query('fail') !== undefined) throw badInput('no')
    return new Response('old')
  },
}
const { deprecated: _, ...UNDEPRECATED } = OLD
const NEW: RestRoute = { ...UNDEPRECATED, operation: 'GET /rest/v1/new', operationId: 'readNew' }

function appWith(routes: readonly RestRoute[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(async (context, next) => {
    context.set('actor', { rights: new Set(RIGHTS) } as unknown as AppEnv['Variables']['actor'])
    await next()
  })
  addRestRoutes(app, routes, {} as RestServices)
  app.onError((error) => problemResponse(error, '0'.repeat(32)))
  return app
}

describe('a REST operation that is declared deprecated', () => {
  it.each(['/rest/v1/old', '/rest/v1/old?fail=1'])('says so in the headers of %s', async (path) => {
    const { headers, status } = await appWith([OLD]).request(path)
    expect(status).toBe(path.includes('fail') ? 400 : 200)
    expect(headers.get('deprecation')).toBe(`@${Date.UTC(2027, 0, 31) / 1_000}`)
    expect(headers.get('sunset')).toBe('Tue, 31 Aug 2027 00:00:00 GMT')
  })

  it('does not make others say so', async () => {
    const { headers } = await appWith([OLD, NEW]).request('/rest/v1/new')
    expect(headers.get('deprecation')).toBeNull()
    expect(headers.get('sunset')).toBeNull()
  })

  it('is deprecated in OpenAPI, with its headers and its replacement', () => {
    const document = openApiDocument([OLD, NEW], { issuer: 'https://a.example', limits: DEFAULT_LIMITS })
    const { paths } = document as unknown as { paths: { [path: string]: { get: object } } }
    expect(paths['/rest/v1/old']?.get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('Use GET /rest/v1/new.') as string,
      responses: { 200: { headers: { Deprecation: {}, Sunset: {}, 'X-Trace-ID': {} } } },
    })
    expect(JSON.stringify(paths['/rest/v1/new'])).not.toMatch(/deprecat|sunset/i)
  })
})

it('a GraphQL operation that is declared deprecated names its replacement and the day', () => {
  const field = operation({
    right: 'self:read',
    type: TEXT,
    description: '',
    deprecated: DEPRECATED,
    resolve: () => 'it',
  })
  expect(field.deprecationReason).toBe(
    'Use GET /rest/v1/new. Deprecated since 2027-01-31; it may be gone from 2027-08-31 on.',
  )
})

interface Part {
  readonly name: string
  readonly reason: string
}

/** Returns the deprecated parts of a schema, such as `Query.old`, `Query.new(old)` or `Colour.OLD`. */
function deprecatedParts(schema: GraphQLSchema): Part[] {
  const all = Object.values(schema.getTypeMap()).flatMap((type) => membersOf(type))
  return all.flatMap(([name, { deprecationReason: reason }]) => (reason == null ? [] : [{ name, reason }]))
}

type Member = readonly [name: string, member: { readonly deprecationReason?: string | null | undefined }]

function membersOf(type: GraphQLNamedType): Member[] {
  if (isEnumType(type)) return type.getValues().map((one) => [`${type.name}.${one.name}`, one])
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((one) => [`${type.name}.${one.name}`, one])
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap((field): Member[] => {
    const name = `${type.name}.${field.name}`
    return [[name, field], ...field.args.map((one): Member => [`${name}(${one.name})`, one])]
  })
}

/** The parts that no line below a heading "Deprecated" names. */
function unlisted(parts: readonly string[], changelog: string): string[] {
  const sections = changelog.split(/^#{2,3} /m).filter((section) => section.startsWith('Deprecated\n'))
  return parts.filter((part) => !sections.some((section) => section.includes(`\`${part}\``)))
}

describe('the changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8')

  it('lists everything that is deprecated', () => {
    const rest = ROUTES.filter(({ deprecated }) => deprecated !== undefined).map(({ operation: name }) => name)
    expect(unlisted([...rest, ...deprecatedParts(SCHEMA).map(({ name }) => name)], changelog)).toStrictEqual([])
  })

  it('would miss parts that are not listed, or only elsewhere', () => {
    const schema = buildSchema(`
      enum Colour { OLD @deprecated NEW }
      input Filter { old: Int @deprecated new: Int }
      type Query { old: Int @deprecated, new(old: Int @deprecated, filter: Filter): Colour }`)
    const parts = ['Colour.OLD', 'Filter.old', 'Query.old', 'Query.new(old)']
    expect(
      deprecatedParts(schema)
        .map(({ name }) => name)
        .toSorted(),
    ).toStrictEqual(parts.toSorted())
    const text =
      '## 1.0.0\n\n### Added\n\n- `Query.old`\n\n### Deprecated\n\n- `Colour.OLD`, `Filter.old`\n\n### Fixed\n\n- `Query.new(old)`\n'
    expect(unlisted(parts, text)).toStrictEqual(['Query.old', 'Query.new(old)'])
  })

  it('has the form of Keep a Changelog', () => {
    const headings = [...changelog.matchAll(/^(#{2,}) (.*)$/gm)].map(([, level, text]) => `${level} ${text}`)
    const known =
      /^(?:## (?:Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)|### (?:Added|Changed|Deprecated|Removed|Fixed|Security))$/
    expect(headings.filter((heading) => !known.test(heading))).toStrictEqual([])
    expect(headings[0]).toBe('## Unreleased')
  })
})

describe('the time until something deprecated may be gone', () => {
  const DAYS = /Deprecated since (\S+); it may be gone from (\S+) on\.$/

  it('is six months or more', () => {
    const rest = ROUTES.flatMap(({ deprecated }) => deprecated ?? [])
    const reasons = deprecatedParts(SCHEMA).map(({ reason }) => DAYS.exec(reason) ?? [])
    const times = [
      ...rest.map(({ since, until }) => daysOf(since, until)),
      ...reasons.map(([, ...days]) => daysOf(...days)),
    ]
    expect(times.filter((days) => !(days >= 180))).toStrictEqual([])
  })

  it('can be read from the reason', () => {
    const [, ...days] = DAYS.exec(deprecationText(DEPRECATED)) ?? []
    expect(daysOf(...days)).toBe(212)
  })
})

function daysOf(since = '', until = ''): number {
  return (Date.parse(until) - Date.parse(since)) / 86_400_000
}
