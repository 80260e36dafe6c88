import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REST_ROUTES } from '../../src/server/routes/rest-routes.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { allowedWithin } from './expected-rights.ts'
import { BOUND_ROLES, startWithinServer, type WithinServer } from './within-server.ts'
import type { Answer } from './test-server.ts'

// The REST API for somebody with a role within one organization.

const READ = '/rest/v1/data-points'
const FILES = ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']

const withoutTrace = (text: string) => text.replaceAll(/"traceId":"\w+"/g, '')

describe.each(SAMPLED_DATABASES)('the REST API within an organization on $name', ({ openMigrated }) => {
  let world: WithinServer
  beforeAll(async () => {
    world = await startWithinServer(await openMigrated())
  })
  afterAll(() => world.server.close())

  const read = (query: object, accept: string): Promise<Answer> =>
    world.call('viewer', {
      method: 'GET',
      path: `${READ}?${new URLSearchParams({ from: '2026-01-01T00:00:00Z', ...query }).toString()}`,
      headers: { accept },
    })

  it.each(BOUND_ROLES)('%s: every route is open that keeps within and whose right the role has', async (role) => {
    const allowed = allowedWithin(role)
    for (const { operation } of REST_ROUTES) {
      const [method = '', path = ''] = operation.split(' ')
      const { status } = await world.call(role, { method, path, ...(method === 'POST' && { body: '[]' }) })
      expect([operation, status !== 403]).toStrictEqual([operation, allowed.has(operation)])
      expect([operation, status < 500]).toStrictEqual([operation, true])
    }
  })

  it.each(FILES)('a file of all that there is has what is within, as %s', async (accept) => {
    const { amber, basalt, nobody } = world
    const { status, text } = await read({ characteristic_uuid: amber.point('note', '').characteristic_uuid }, accept)
    expect(status).toBe(200)
    expect(text).toContain('noted by amber')
    for (const hidden of ['basalt', basalt.system, nobody.system]) expect(text).not.toContain(hidden)
    for (const { system, component } of [basalt, nobody])
      for (const named of [{ system_uuid: system }, { component_uuid: component }]) {
        const [foreign, unknown] = [
          await read({ ...named }, accept),
          await read(Object.fromEntries(Object.keys(named).map((name) => [name, randomUUID()])), accept),
        ]
        expect([foreign.status, withoutIds(foreign.text)]).toStrictEqual([unknown.status, withoutIds(unknown.text)])
      }
  })

  it('so has a file of buckets', async () => {
    const query = {
      characteristic_uuid: world.amber.point('temperature', 0).characteristic_uuid,
      interval: 'P1D',
      aggregations: 'max',
      to: '2026-02-01T00:00:00Z',
    }
    const { status, text } = await read(query, 'text/csv')
    expect(status).toBe(200)
    expect(text).toContain(',21')
    expect(text).not.toContain('7777')
  })

  it('one series of another organization is as unknown as one of nobody', async () => {
    const { service_uuid, characteristic_uuid } = world.amber.point('note', '')
    const name = (component_uuid: string) => ({ component_uuid, service_uuid, characteristic_uuid })
    expect((await read(name(world.amber.component), 'application/json')).text).toContain('noted by amber')
    const stranger = randomUUID()
    const unknown = await read(name(stranger), 'application/json')
    expect(unknown.status).toBe(404)
    for (const { component } of [world.basalt, world.nobody]) {
      const { status, text } = await read(name(component), 'application/json')
      expect([status, withoutTrace(text).replaceAll(component, stranger)]).toStrictEqual([
        404,
        withoutTrace(unknown.text),
      ])
    }
  })

  it.each(['/rest/v1/data-points/add', '/rest/v1/set-points/add'])(
    '%s refuses what is outside as unknown',
    async (path) => {
      const { amber, basalt, nobody } = world
      const code = path.includes('set-points') ? 'target' : 'temperature'
      const send = (elements: unknown[]) => world.call('operator', { path, body: JSON.stringify(elements) })
      // The second time everybody's series are known.
      for (const _ of [1, 2]) {
        await world.server.call({ path, body: JSON.stringify([basalt.point(code, 7), nobody.point(code, 7)]) })
        const stranger = { ...basalt.point(code, 1), component_uuid: randomUUID() }
        const { status, json } = await send([
          amber.point(code, 1),
          basalt.point(code, 1),
          nobody.point(code, 1),
          stranger,
        ])
        expect(status).toBe(422)
        const { errors } = json as { errors: readonly { code: string; detail: string; pointer: string }[] }
        expect(errors).toStrictEqual(
          [basalt, nobody, { component: stranger.component_uuid }].map(({ component }, index) =>
            expect.objectContaining({
              pointer: `/${index + 1}/component_uuid`,
              code: 'unknown-component',
              detail: `there is no component ${component}`,
            }),
          ),
        )
      }
      expect((await send([amber.point(code, 1)])).status).toBe(201)
    },
  )

  it('setpoints of others are neither given nor acknowledged', async () => {
    const { amber, basalt } = world
    const pending = (component: string) =>
      world.call('operator', { method: 'GET', path: `/rest/v1/set-points/pending?component_uuid=${component}` })
    expect((await pending(amber.component)).json).toHaveLength(1)
    expect((await pending(basalt.component)).status).toBe(404)
    const { status, json } = await world.call('operator', {
      path: '/rest/v1/set-points/acknowledge',
      body: JSON.stringify([{ uuid: basalt.setpoint, state: 'APPLIED' }]),
    })
    expect(status).toBe(422)
    expect(json).toMatchObject({
      errors: [{ code: 'unknown-setpoint', detail: `there is no setpoint ${basalt.setpoint}` }],
    })
  })
})

/** An answer without what names itself and what was asked for. */
function withoutIds(text: string): string {
  return text.replaceAll(/[\da-f]{8}-[\da-f-]{27}|"traceId":"\w+"/g, '…')
}
