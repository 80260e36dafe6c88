import { beforeAll, expect, it } from 'vitest'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { giveToken } from '../support/access.ts'
import { makeSite, type Site } from '../support/site.ts'
import { context, server, useServer } from './one-server.ts'
import type { GraphqlAnswer } from './test-server.ts'

// Deletions by GraphQL. What they delete is tested with the platform.

const NOON = Date.UTC(2026, 1, 20, 12)

let site: Site

useServer()
beforeAll(async () => {
  site = await makeSite(context)
  const points = [0, 1, 2].map((minute) => site.point('temperature', minute, NOON + minute * 60_000))
  await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
})

const PREVIEW = `query ($system: ID, $component: ID, $event: ID, $series: SeriesToDelete, $from: String, $to: String) {
  deletionPreview(system: $system, component: $component, event: $event, series: $series, from: $from, to: $to) {
    token expiresAt counts { systems components datapoints events setpoints credentials idempotencyKeys }
  }
}`
const DELETE = `mutation ($series: SeriesToDelete!, $from: String, $to: String, $token: String!) {
  deleteDatapoints(series: $series, from: $from, to: $to, token: $token) {
    uuid kind subject name series { systems components services characteristics } from to counts { datapoints } deletedBy
  }
}`

interface Preview {
  readonly deletionPreview: { readonly token: string; readonly counts: { readonly datapoints: number } }
}

async function refused(query: string, variables: object, token?: string): Promise<unknown> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { json } = await server.call({ body: JSON.stringify({ query, variables }), ...authorization })
  const { errors } = json as GraphqlAnswer
  return [errors?.[0]?.extensions['code'], errors?.[0]?.message]
}

it('datapoints are previewed, deleted once, and shown in the history', async () => {
  const range = { from: '2026-02-20T12:01:00Z', to: '2026-02-20T12:02:00Z' }
  const variables = { series: { components: [site.componentUuids[0]], characteristics: ['temperature'] }, ...range }
  const { deletionPreview } = (await server.data(PREVIEW, variables)) as Preview
  expect(deletionPreview.counts).toMatchObject({ datapoints: 1, systems: 0, components: 0 })
  const first = await server.data(DELETE, { ...variables, token: deletionPreview.token })
  expect(first).toMatchObject({
    deleteDatapoints: {
      kind: 'DATAPOINTS',
      subject: null,
      series: { systems: null, components: [site.componentUuids[0]], services: null, characteristics: ['temperature'] },
      from: '2026-02-20T12:01:00.000Z',
      to: '2026-02-20T12:02:00.000Z',
      counts: { datapoints: 1 },
    },
  })
  expect(await server.data(DELETE, { ...variables, token: deletionPreview.token })).toStrictEqual(first)
  expect(await server.data('{ deletions { totalCount nodes { kind counts { datapoints } } } }')).toStrictEqual({
    deletions: { totalCount: 1, nodes: [{ kind: 'DATAPOINTS', counts: { datapoints: 1 } }] },
  })
})

it('a device sees nothing of the history', async () => {
  const { deletions } = await server.data<{ deletions: { nodes: { uuid: string }[] } }>(
    '{ deletions { nodes { uuid } } }',
  )
  const device = await giveToken(context, await createSystemCredential(context, site.systemUuid), { scope: 'service' })
  const query = `{ deletions { totalCount nodes { uuid } } node(uuid: "${deletions.nodes[0]?.uuid}") { uuid } }`
  const ask = (by: object) => server.call({ body: JSON.stringify({ query }), ...by })
  expect((await ask({})).json).toMatchObject({ data: { deletions: { totalCount: 1 }, node: deletions.nodes[0] } })
  expect((await ask({ authorization: `Bearer ${device}` })).json).toMatchObject({
    data: { deletions: { totalCount: 0, nodes: [] }, node: null },
  })
})

it.each([
  ['nothing', {}, 'name exactly one of system, component, event and series'],
  ['two things', () => ({ system: site.systemUuid, event: site.systemUuid }), 'name exactly one of'],
  ['no series', { series: {} }, 'series selects nothing: name systems, components, services or characteristics'],
  [
    'names that are too long',
    { series: { services: ['x'.repeat(200_001)] } },
    'the names of series have 200,001 characters, and 200,000 are the most',
    'LIMIT_EXCEEDED',
  ],
  ['times of a system', () => ({ system: site.systemUuid, from: '2026-01-01T00:00:00Z' }), 'with series only'],
  [
    'an empty range',
    { series: { services: ['room'] }, from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    'from must be before to',
  ],
])('a preview of %s is refused', async (_, given, message, code = 'BAD_USER_INPUT') => {
  const variables = typeof given === 'function' ? given() : given
  expect(await refused(PREVIEW, variables)).toStrictEqual([code, expect.stringContaining(message)])
})

it('a request makes one preview', async () => {
  const one = `deletionPreview(system: "${site.systemUuid}") { token }`
  expect(await refused(`{ one: ${one} two: ${one} }`, {})).toStrictEqual([
    'LIMIT_EXCEEDED',
    expect.stringContaining('it asks for 2 previews of deletions'),
  ])
})

it('a device and a token without the scope delete nothing', async () => {
  const { uuid } = await createSystemCredential(context, site.systemUuid)
  const series = { systems: [site.systemUuid] }
  const device = await giveToken(context, { uuid }, { scope: 'service' })
  expect(await refused(PREVIEW, { series }, device)).toStrictEqual(['FORBIDDEN', expect.any(String)])
  expect(await refused(DELETE, { series, token: 'x' }, device)).toStrictEqual(['FORBIDDEN', expect.any(String)])
})

it('a deleted system ends the access of its devices, which the log tells', async () => {
  const { createSystem } = await server.data<{ createSystem: { uuid: string } }>(
    `mutation { createSystem(input: { name: "House" }) { uuid } }`,
  )
  const system = createSystem.uuid
  const device = await giveToken(context, await createSystemCredential(context, system), { scope: 'service' })
  const asDevice = () =>
    server.call({ body: JSON.stringify({ query: '{ me { uuid } }' }), authorization: `Bearer ${device}` })
  expect((await asDevice()).status).toBe(200)
  await server.data(`mutation ($uuid: ID!) { updateSystem(uuid: $uuid, input: { status: ARCHIVED }) { uuid } }`, {
    uuid: system,
  })
  const { deletionPreview } = (await server.data(PREVIEW, { system })) as Preview
  const before = server.log.length
  await server.data(`mutation ($uuid: ID!, $token: String!) { deleteSystem(uuid: $uuid, token: $token) { uuid } }`, {
    uuid: system,
    token: deletionPreview.token,
  })
  expect((await asDevice()).status).toBe(401)
  expect(server.log.slice(before).join()).toContain('"what":"system with credentials deleted"')
})
