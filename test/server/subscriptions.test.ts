import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { UUID } from '../../src/db/columns.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { giveToken } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { makeSite, type SentPoint, type Site } from '../support/site.ts'
import { follow, type Followed } from './follow.ts'
import { HOSTS } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// Datapoints as they are followed by GraphQL over SSE. What comes when is tested with the platform.

const NOON = 1_760_000_000_000

interface NewDatapoints {
  readonly cursor: string
  readonly datapoints: readonly { readonly timestamp: string; readonly value: unknown }[]
}

const DATAPOINTS = `subscription (
  $systems: [ID!], $components: [ID!], $services: [String!], $characteristics: [String!], $after: String
) {
  datapoints(
    systems: $systems, components: $components, services: $services, characteristics: $characteristics, after: $after
  ) { cursor datapoints { componentUuid service characteristic timestamp value } }
}`

type Variables = Record<string, unknown>

const valuesOf = ({ changes }: Followed<NewDatapoints>) =>
  changes.flatMap(({ datapoints }) => datapoints.map(({ value }) => value))
const cursorOf = ({ changes }: Followed<NewDatapoints>) => changes.at(-1)?.cursor ?? ''

async function send(
  points: readonly SentPoint[],
  host: string = HOSTS.first,
  headers: { readonly [name: string]: string } = {},
): Promise<string> {
  const answer = await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points), host, headers })
  expect(answer).toMatchObject({ status: 201 })
  return String(answer.headers['x-service-change'])
}

async function refused(variables: Variables, token?: string) {
  const followed = follow(server, DATAPOINTS, { variables, ...(token !== undefined && { token }) })
  await followed.ended
  const [error] = followed.results[0]?.errors ?? []
  return `${String(error?.extensions['code'])}: ${error?.message}`
}

describe.each(SAMPLED_DATABASES)('datapoints are followed on $name', (kind) => {
  let context: DomainContext
  let foreign: DomainContext
  let site: Site
  let foreignSite: Site
  const open: Followed<unknown>[] = []

  useServer({ kind })
  beforeAll(async () => {
    const [first, second] = server.access
    if (first === undefined || second === undefined) throw new Error('there are no domains')
    context = { ...first, actorName: 'tester' }
    foreign = { ...second, actorName: 'tester' }
    site = await makeSite(context)
    foreignSite = await makeSite(foreign)
  })
  afterEach(() => {
    for (const one of open.splice(0)) one.stop()
  })

  /** From the first answer on. */
  async function begin(variables: Variables = {}, token?: string): Promise<Followed<NewDatapoints>> {
    const followed = follow<NewDatapoints>(server, DATAPOINTS, { variables, ...(token !== undefined && { token }) })
    open.push(followed)
    await followed.until((changes) => changes.length > 0)
    return followed
  }

  /** All that was stored before it comes before it. */
  async function untilMark(followed: Followed<NewDatapoints>, mark: string, component = 0): Promise<unknown[]> {
    await send([site.point('note', mark, undefined, component)])
    await followed.until(() => valuesOf(followed).includes(mark))
    return valuesOf(followed).filter((value) => value !== mark)
  }

  it('a batch that is sent again with its Idempotency-Key comes once', async () => {
    const followed = await begin()
    const headers = { 'idempotency-key': 'once' }
    const sendOnce = () =>
      send([site.point('temperature', 7), site.point('temperature', 8, NOON)], HOSTS.first, headers)
    await Promise.all([sendOnce(), sendOnce()])
    await server.datapoints.compactor.compact()
    await sendOnce()
    expect((await untilMark(followed, 'after a retry')).toSorted()).toStrictEqual([7, 8])
  })

  it('from now on: the first answer says from where', async () => {
    await send([site.point('temperature', 1, NOON)])
    const followed = await begin()
    expect(followed.changes).toStrictEqual([{ cursor: expect.any(String) as string, datapoints: [] }])
    await send([site.point('temperature', 21.5, NOON), site.point('open', true, NOON)])
    await followed.until(() => valuesOf(followed).length === 2)
    const { datapoints } = followed.changes[1] ?? { datapoints: [] }
    const same = { componentUuid: site.componentUuids[0], service: 'room', timestamp: '2025-10-09T08:53:20.000Z' }
    expect(datapoints).toHaveLength(2)
    expect(datapoints).toEqual(
      expect.arrayContaining([
        { ...same, characteristic: 'temperature', value: 21.5 },
        { ...same, characteristic: 'open', value: true },
      ]),
    )
  })

  it('as a stream that nobody on its way keeps back', async () => {
    const { token } = { token: await giveToken(context, await operatorOf(context)) }
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    }
    const abort = new AbortController()
    const answer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: DATAPOINTS }),
      signal: abort.signal,
    })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-trace-id': expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    })
    expect(answer.headers.has('content-encoding')).toBe(false)
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('event: next')) break
    }
    abort.abort()
    expect(text).toMatch(
      /^:\n\nevent: next\ndata: \{"data":\{"datapoints":\{"cursor":"[\w-]+","datapoints":\[\]\}\}\}\n\n/,
    )
  })

  it('in large batches, part by part', async () => {
    const followed = await begin()
    await send(Array.from({ length: 2_500 }, (_, index) => site.point('count', index, NOON + index)))
    await followed.until(() => valuesOf(followed).length === 2_500)
    expect(valuesOf(followed)).toStrictEqual(Array.from({ length: 2_500 }, (_, index) => index))
    expect(followed.changes.map(({ datapoints }) => datapoints.length)).toStrictEqual([0, 1_000, 1_000, 500])
  })

  it('of those that are meant only', async () => {
    const [, second] = site.componentUuids
    const note = { characteristics: ['note', 'temperature'] }
    const followed = await begin({ components: [second], services: ['room'], ...note, systems: [site.systemUuid] })
    await send([
      site.point('temperature', 1, NOON, 0),
      site.point('temperature', 2, NOON, 1),
      site.point('count', 3, NOON, 1),
    ])
    expect(await untilMark(followed, 'meant', 1)).toStrictEqual([2])
  })

  it('also after they were folded into chunks', async () => {
    const followed = await begin()
    await send([site.point('temperature', 5, NOON)])
    await server.datapoints.compactor.compact()
    await send([site.point('temperature', 6, NOON + 1)])
    expect(await untilMark(followed, 'folded')).toStrictEqual([5, 6])
  })

  it('on from a cursor, with what was stored meanwhile', async () => {
    const before = await begin()
    await send([site.point('temperature', 1, NOON)])
    await before.until(() => valuesOf(before).length === 1)
    before.stop()
    await send([site.point('temperature', 2, NOON + 1), site.point('temperature', 3, NOON - 86_400_000)])
    await server.datapoints.compactor.compact()
    await send([site.point('temperature', 4, NOON + 2)])
    const again = await begin({ after: cursorOf(before) })
    await send([site.point('temperature', 5, NOON + 3)])
    expect(await untilMark(again, 'again')).toStrictEqual([3, 2, 4, 5])
    const rest = await begin({ after: cursorOf(again), characteristics: ['temperature'] })
    expect(rest.changes[0]?.datapoints).toStrictEqual([])
  })

  it('on from the X-Service-Change of an answer', async () => {
    const change = await send([site.point('temperature', 1, NOON)])
    await send([site.point('temperature', 2, NOON + 1)])
    expect(await untilMark(await begin({ after: change }), 'changed')).toStrictEqual([2])
    const last = await send([site.point('temperature', 3, NOON + 1)])
    expect(await untilMark(await begin({ after: last }), 'none')).toStrictEqual([])
  })

  it('not on from anything else', async () => {
    const followed = await begin()
    for (const after of ['', 'x', 'AAAA.AAA', Buffer.from('datapoints x 1:').toString('base64url')])
      expect(await refused({ after })).toMatch(/^(BAD_USER_INPUT|CONFLICT): /)
    const change = await send([foreignSite.point('temperature', 1, NOON)], HOSTS.second)
    expect(await refused({ after: change })).toMatch(/^CONFLICT: .* another domain or database/)
    const [head, mark = ''] = Buffer.from(cursorOf(followed), 'base64url').toString().split(' ')
    const ahead = Buffer.from(`${head} ${mark} 4000000000:`).toString('base64url')
    expect(await refused({ after: ahead })).toMatch(/^CONFLICT: this cursor is ahead of the database/)
    const restored = Buffer.from(`${head} ${mark.replaceAll(/./g, '0')} 1:`).toString('base64url')
    expect(await refused({ after: restored })).toMatch(/^CONFLICT: this cursor belongs to another domain or database/)
  })

  it('never those of another domain', async () => {
    const followed = await begin()
    await send([foreignSite.point('temperature', 99, NOON)], HOSTS.second)
    expect(await untilMark(followed, 'walls')).toStrictEqual([])
    expect(await refused({ systems: [foreignSite.systemUuid] })).toBe(
      `NOT_FOUND: there is no system ${foreignSite.systemUuid}`,
    )
  })

  it('not of what is not there', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect(await refused({ components: [nobody] })).toBe(`NOT_FOUND: there is no component ${nobody}`)
    expect(await refused({ services: ['cellar'] })).toBe('NOT_FOUND: there is no service cellar')
    expect(await refused({ characteristics: ['taste'] })).toBe('NOT_FOUND: there is no characteristic taste')
    expect(await refused({ systems: ['house'] })).toBe('BAD_USER_INPUT: systems must be a UUID, not "house"')
    expect(await refused({ services: Array.from({ length: 1_001 }, () => 'room') })).toMatch(
      /^LIMIT_EXCEEDED: the list of services has 1,001/,
    )
  })

  it('by a device: those of its own system', async () => {
    const other = await createSystem(context, EVERYWHERE, { name: 'Other' })
    const { uuid: accountUuid } = await createSystemCredential(context, other.uuid)
    const token = await giveToken(context, { uuid: accountUuid })
    const followed = await begin({}, token)
    await send([site.point('temperature', 1, NOON)])
    expect(await refused({ systems: [site.systemUuid] }, token)).toBe(
      `NOT_FOUND: there is no system ${site.systemUuid}`,
    )
    expect(await refused({ components: [site.componentUuids[0]] }, token)).toMatch(/^NOT_FOUND/)
    const own = await createSystemCredential(context, site.systemUuid)
    const ownFollowed = await begin({}, await giveToken(context, { uuid: own.uuid }))
    expect(await untilMark(ownFollowed, 'device')).toStrictEqual([])
    expect(valuesOf(followed)).toStrictEqual([])
  })

  it('by whoever may read data', async () => {
    const token = await giveToken(context, await operatorOf(context), { scope: 'datapoints:write' })
    expect(await refused({}, token)).toBe(
      'FORBIDDEN: datapoints needs a token with the scope data:read or service; this one has only datapoints:write',
    )
  })

  it('not as JSON', async () => {
    const answer = await server.call({
      body: JSON.stringify({ query: DATAPOINTS }),
      headers: { accept: 'application/json' },
    })
    expect(answer).toMatchObject({ status: 406, json: { code: 'BAD_USER_INPUT' } })
  })

  it('one at a time', async () => {
    const query = 'subscription { datapoints { cursor } applies { cursor } }'
    const followed = follow(server, query)
    await followed.ended
    expect(followed.results[0]?.errors?.[0]?.message).toMatch(/must select only one top level field/)
  })
})

async function operatorOf({ database, domain }: DomainContext): Promise<{ uuid: string }> {
  const [row] = await database.rows(
    { uuid: UUID },
    `select account_uuid as uuid from artifacts where domain_id = $1 and account_uuid is not null limit 1`,
    [domain.id],
  )
  if (row === undefined) throw new Error('there is no operator')
  return row
}
