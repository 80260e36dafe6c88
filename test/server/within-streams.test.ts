import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { updateSystem } from '../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import type { Customer } from '../support/two-organizations.ts'
import { follow, type Followed } from './follow.ts'
import { startWithinServer, type WithinServer } from './within-server.ts'

// What lasts: subscriptions and long polls of somebody with a role within one organization, while systems come and go.

const QUERIES = {
  datapoints: 'subscription { datapoints { cursor datapoints { value systemUuid } } }',
  events: 'subscription { events { cursor events { message systemUuid } } }',
  setpoints: 'subscription { setpoints { cursor setpoints { value systemUuid } } }',
} as const

type Changes = { readonly [list: string]: unknown }

const saw = (value: number) => (changes: readonly Changes[]) =>
  JSON.stringify(changes).includes(`"value":${value}`) || JSON.stringify(changes).includes(`number ${value}`)

describe.each(SAMPLED_DATABASES)('what lasts, within an organization on $name', ({ openMigrated }) => {
  let world: WithinServer
  beforeAll(async () => {
    world = await startWithinServer(await openMigrated())
  })
  afterEach(async () => {
    const { amber, nobody, context } = world
    await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'amber/east' })
    await updateSystem(context, EVERYWHERE, nobody.system, { organizationUnit: null })
    await world.grant()
  })
  afterAll(() => world.server.close())

  /** Something of each kind, by somebody who may do it everywhere. */
  async function tell({ system, component, point }: Customer, value: number): Promise<void> {
    const { server } = world
    await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify([point('temperature', value)]) })
    await server.data(
      `mutation ($system: ID!, $component: ID!, $value: JSON!) {
        createEvent(input: { eventModel: "restart", system: $system, message: "number ${value}" }) { uuid }
        setSetpoints(components: [{ component: $component, service: "heating", characteristic: "target", value: $value }]) { uuid }
      }`,
      { system, component, value },
    )
  }

  async function followAll(token: string): Promise<Followed<Changes>[]> {
    const all = Object.values(QUERIES).map((query) => follow<Changes>(world.server, query, { token }))
    await Promise.all(all.map(({ until }) => until((changes) => changes.length > 0)))
    return all
  }

  it('subscriptions tell of systems within, as long as these are', async () => {
    const { amber, basalt, nobody, context, token } = world
    const all = await followAll(token.viewer)
    await tell(basalt, 101)
    await tell(amber, 103)
    await Promise.all(all.map(({ until }) => until(saw(103))))
    await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'basalt' })
    await updateSystem(context, EVERYWHERE, nobody.system, { organizationUnit: 'amber/west' })
    await tell(amber, 104)
    await tell(nobody, 105)
    await Promise.all(all.map(({ until }) => until(saw(105))))
    for (const { changes, stop } of all) {
      for (const hidden of [101, 104]) expect(saw(hidden)(changes)).toBe(false)
      stop()
    }
  })

  it('from a cursor on, subscriptions tell of what is within now', async () => {
    const { amber, basalt, token, server } = world
    const before = await followAll(token.viewer)
    const cursors = before.map(({ changes }) => String(changes[0]?.['cursor']))
    for (const { stop } of before) stop()
    await tell(basalt, 201)
    await tell(amber, 202)
    for (const [place, query] of Object.values(QUERIES).entries()) {
      const after = query.replace(/\{ (\w+) \{/, `{ $1(after: ${JSON.stringify(cursors[place])}) {`)
      const followed = follow<Changes>(server, after, { token: token.viewer })
      await followed.until(saw(202))
      expect(saw(201)(followed.changes)).toBe(false)
      followed.stop()
    }
  })

  it.each(Object.entries(QUERIES))('%s of what is outside cannot be followed', async (field, query) => {
    const { basalt, server, token } = world
    for (const filter of [`systems: ["${basalt.system}"]`, `components: ["${basalt.component}"]`]) {
      const named = query.replace(`{ ${field} {`, `{ ${field}(${filter}) {`)
      const { ended, results } = follow(server, named, { token: token.viewer })
      await ended
      expect(results.at(-1)?.errors?.[0]?.extensions['code']).toBe('NOT_FOUND')
    }
  })

  it('subscriptions end when the grant is taken back, or counts elsewhere', async () => {
    const all = await followAll(world.token.viewer)
    await world.grantInstead({ role: 'viewer', machineUser: 'amber-viewer', within: 'amber/east' })
    await Promise.all(all.map(({ ended }) => ended))
    for (const { results } of all) expect(results.at(-1)?.errors?.[0]?.extensions['code']).toBe('FORBIDDEN')
    await world.grant()
  })

  it('a long poll gives nothing of a system that has moved away, and ends where the grant is gone', async () => {
    const { amber, context, server } = world
    await server.database.script('delete from setpoints')
    const poll = () =>
      world.call('operator', {
        method: 'GET',
        path: `/rest/v1/set-points/pending?component_uuid=${amber.component}&wait=3`,
        headers: { accept: 'application/json' },
      })
    const [waiting] = [poll(), await server.call({ method: 'GET', path: '/healthz', authorization: null })]
    await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'basalt' })
    await tell(amber, 301)
    // The system may have gone before the poll began to wait.
    const { status, text } = await waiting
    expect([status, text]).toSatisfy(([code, body]) => code === 404 || body === '[]')
    await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'amber/east' })
    expect((await poll()).json).toMatchObject([{ value: 301 }])
    await server.database.script('delete from setpoints')
    const other = poll()
    await world.grantInstead()
    await tell(amber, 302)
    expect((await other).status).toBe(403)
    await world.grant()
  })

  it('a batch that is sent while its system moves away is stored before, or not at all', async () => {
    const { amber, context } = world
    const add = (value: number) =>
      world.call('operator', {
        path: '/rest/v1/data-points/add',
        body: JSON.stringify([amber.point('temperature', value)]),
      })
    expect((await add(401)).status).toBe(201)
    const sent = Array.from({ length: 20 }, (_, index) => add(402 + index))
    const moved = updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'basalt' })
    const answers = await Promise.all(sent)
    await moved
    const refused = answers.filter(({ status }) => status !== 201).map(({ json }) => json)
    expect(refused).toMatchObject(refused.map(() => ({ errors: [{ code: 'unknown-component' }] })))
    const after = await add(499)
    expect(after).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/0/component_uuid', code: 'unknown-component' }] },
    })
    await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'amber/east' })
    expect((await add(500)).status).toBe(201)
  })
})
