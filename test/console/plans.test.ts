import { beforeAll, describe, expect, it } from 'vitest'
import { addConsole } from '../../src/console/console.ts'
import { BYTEA, INT8 } from '../../src/db/columns.ts'
import { sweepExpired } from '../../src/platform/access/sessions/sweep.ts'
import { findKeptPlan, keepPlanFor } from '../../src/platform/imports/planning/kept-plans.ts'
import { packPlan } from '../../src/platform/imports/planning/packed-plan.ts'
import { planImport, READS_ALL } from '../../src/platform/imports/planning/plan-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { ACCESS } from '../../src/records/record-type.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { keepPlan } from '../../src/store/model/kept-plans.ts'
import type { Database } from '../../src/db/sql.ts'
import { OPERATOR } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { example } from '../support/example-records.ts'
import { ANN, startAnother } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

const HOUR = 3_600_000

let database: Database
useConsole()
beforeAll(async () => {
  database = server.context.database
  await createRecord(server.context, ACCESS, { role: 'administrator', user: ANN.email }, [])
})

/** One grant more than those that every domain begins with, in what the settings list. */
const GRANTS_OF_ALL = [
  'access:',
  ...['users', 'machineUsers'].map((everyone) => `  - { role: operator, everyone: ${everyone} }`),
  '  - { role: viewer, everyone: users }',
  `  - { role: administrator, user: ${ANN.email} }`,
  '',
].join('\n')

const DOCUMENT = 'dataSources:\n  - { code: weather, name: Weather }\n'

async function plan(document: string, settings = ''): Promise<string> {
  const { location } = await operator.post('/plans/new', { document, settings, form: 'yaml' })
  return location ?? ''
}

describe('a plan', () => {
  it('is seen on every server by who made it, and by nobody else, until it is over', async () => {
    const other = await startAnother(server, { addPages: addConsole })
    const path = await plan(DOCUMENT)
    expect(path).toMatch(/^\/plans\/[0-9a-f-]{36}$/)
    const there = await consoleVisitor(other, OPERATOR)
    expect((await there.get(path)).text).toContain('Ready to apply')
    const ann = await consoleVisitor(server, ANN)
    expect((await ann.get(path)).status).toBe(404)
    expect((await ann.post(path)).status).toBe(404)
    const uuid = path.slice('/plans/'.length)
    const [row] = await database.rows({ sealed: BYTEA }, `select sealed from kept_plans where uuid = $1::uuid`, [uuid])
    expect(Buffer.from(row?.sealed ?? []).includes('weather')).toBe(false)
    await database.statement(`update kept_plans set forget_at = now() where uuid = $1::uuid`, [uuid])
    expect((await operator.get(path)).text).toContain('has expired, or somebody else made it')
    await sweepExpired(database, new Date())
    expect(await database.statement(`select 1 as one from kept_plans where uuid = $1::uuid`, [uuid])).toStrictEqual([])
    await other.close()
  })

  it('lists what it breaks for apps', async () => {
    await createRecord(server.context, 'eventModels', example('eventModels', 'lost'), [])
    const { text } = await operator.get(await plan('eventModels: []\n'))
    expect(text).toMatch(/Breaks for apps[\s\S]*1 member of their types[\s\S]*Removes eventModels\/lost/)
    await deleteRecord(server.context, 'eventModels', 'lost', [])
  })

  it('is applied exactly as it was shown, once, and not where it would do something else by now', async () => {
    const path = await plan(DOCUMENT)
    expect((await operator.get(path)).text).toContain('Apply this plan')
    const applied = await operator.post(path)
    expect(applied).toMatchObject({ status: 303, location: path.replace('/plans/', '/applies/') })
    expect(await operator.post(path)).toMatchObject({ location: applied.location })
    expect((await operator.get(applied.location ?? '')).text).toMatch(/by operator[\s\S]*weather/)
    const stale = await plan(DOCUMENT.replace('name: Weather', 'name: Forecast'))
    await updateRecord(server.context, 'dataSources', 'weather', { name: 'Meanwhile' }, [])
    const refused = await operator.post(stale)
    expect(refused.status).toBe(409)
    expect(refused.text).toMatch(/Nothing was applied[\s\S]*Plan again/)
    expect((await findRecord(server.context, EVERYWHERE, 'dataSources', 'weather'))?.body['name']).toBe('Meanwhile')
  })

  it('waits for who made it while a grant is taken back and given again, and is nothing to them until then', async () => {
    const ann = await consoleVisitor(server, ANN)
    const document = 'dataSources:\n  - { code: weather, name: Of Ann }\n  - { code: tariffs, name: Tariffs }\n'
    const { location } = await ann.post('/plans/new', { document, form: 'yaml' })
    const path = location ?? ''
    expect((await ann.get(path)).text).toContain('Ready to apply')
    const grant = { role: 'administrator', user: ANN.email }
    await deleteRecord(server.context, ACCESS, `administrator/user/${ANN.email}`, [])
    for (const page of [await ann.get(path), await ann.post(path)]) {
      expect(page.status).toBe(403)
      expect(page.text).not.toMatch(/weather|tariffs/)
    }
    expect(await findRecord(server.context, EVERYWHERE, 'dataSources', 'tariffs')).toBeNull()
    await createRecord(server.context, ACCESS, { ...grant, role: 'viewer' }, [])
    expect((await ann.post(path)).status).toBe(403)
    expect(await findRecord(server.context, EVERYWHERE, 'dataSources', 'tariffs')).toBeNull()
    await createRecord(server.context, ACCESS, grant, [])
    expect((await ann.post(path)).location).toBe(path.replace('/plans/', '/applies/'))
    expect(await findRecord(server.context, EVERYWHERE, 'dataSources', 'tariffs')).not.toBeNull()
  })

  it('with guards is applied where each of them is allowed, and a roll-back likewise', async () => {
    const path = await plan('dataSources: []\n')
    const { text } = await operator.get(path)
    expect(text).toContain('value="empties-type:dataSources"')
    const refused = await operator.post(path)
    expect(refused.status).toBe(409)
    expect(refused.text).toMatch(/Nothing was applied[\s\S]*empties-type dataSources/)
    const allow = [
      'empties-type:dataSources',
      ...Array.from({ length: 20 }, (_, at) => `deletes-data:dataSources/x${at}`),
    ]
    const tooMany = await operator.post(path, { allow })
    expect(tooMany.status).toBe(413)
    expect(tooMany.text).toContain('at most 20 guards')
    const done = await operator.post(path, { allow: 'empties-type:dataSources' })
    expect(done.status).toBe(303)
    expect(await findRecord(server.context, EVERYWHERE, 'dataSources', 'weather')).toBeNull()
    const back = await operator.post(done.location ?? '')
    expect((await operator.get(back.location ?? '')).text).toContain('The roll-back is possible')
    expect((await operator.post(back.location ?? '')).status).toBe(303)
    expect(await findRecord(server.context, EVERYWHERE, 'dataSources', 'weather')).not.toBeNull()
  })

  it('of a roll-back says which data stays lost', async () => {
    const { context } = server
    const open = { code: 'open', eventType: 'RANGED', entityType: 'SYSTEM', eventLevel: 'INFO', message: 'Open' }
    await createRecord(context, 'eventModels', open, [])
    const { uuid: system } = await createSystem(context, EVERYWHERE, { name: 'House' })
    await createEvent(context, EVERYWHERE, { eventModel: 'open', system })
    const deleting = await plan('eventModels: []\n')
    const allow = ['empties-type:eventModels', 'takes-over:eventModels', 'deletes-data:eventModels/open']
    const { text } = await operator.get(deleting)
    const done = await operator.post(deleting, { allow: allow.filter((one) => text.includes(`value="${one}"`)) })
    const back = await operator.post(done.location ?? '')
    expect((await operator.get(back.location ?? '')).text).toContain(
      'a record comes back without what belonged to it: eventModels/open (1 event)',
    )
  })

  it('is kept for an apply as long as its document has 16 MiB as it is stored', async () => {
    const { context } = server
    const planned = await packPlan((await planImport(context, {}, NO_SETTINGS, READS_ALL)).plan, new Map())
    for (const [letters, canApply] of [
      [5_000_000, true],
      [6_000_000, false],
    ] as const) {
      const text = { form: 'yaml', document: '\u20ac'.repeat(letters), settings: null } as const
      const id = await keepPlanFor(context, 'somebody', planned, { of: 'a document', rollbackOf: null, text })
      expect((await findKeptPlan(context, 'somebody', id))?.canApply).toBe(canApply)
    }
    await database.statement(`delete from kept_plans where owner = 'somebody'`, [])
  })

  it('has no more room than a domain is given: the oldest go of who has most', async () => {
    const [first, second] = [await plan(DOCUMENT), await plan(DOCUMENT)]
    const [room] = await database.rows({ size: INT8 }, `select size from kept_plans where uuid = $1::uuid`, [
      second.slice('/plans/'.length),
    ])
    const row = {
      uuid: crypto.randomUUID(),
      owner: 'somebody',
      madeAt: new Date(),
      forgetAt: new Date(Date.now() + HOUR),
      head: new Uint8Array(1),
      outline: new Uint8Array(1),
      sealed: null,
      parts: [],
    }
    const keep = (one: typeof row) =>
      writeAccess(database, server.context.domain.id, (sql) =>
        keepPlan(sql, server.context.domain.id, one, Number(room?.size) + 2),
      )
    await keep(row)
    expect((await operator.get(first)).status).toBe(404)
    expect((await operator.get(second)).status).toBe(200)
    await database.statement(`update kept_plans set size = 1 where uuid = $1::uuid`, [second.slice('/plans/'.length)])
    const large = new Uint8Array(Math.ceil(Number(room?.size) / 2))
    await keep({ ...row, uuid: crypto.randomUUID(), madeAt: new Date(Date.now() + 1) })
    for (let later = 2; later < 6; later++)
      await keep({ ...row, uuid: crypto.randomUUID(), madeAt: new Date(Date.now() + later), head: large })
    expect((await operator.get(second)).status).toBe(200)
    expect((await operator.get(`/plans/${row.uuid}`)).status).toBe(404)
    const [kept] = await database.rows({ size: INT8 }, `select sum(size)::int8 as size from kept_plans`, [])
    expect(kept?.size).toBeLessThanOrEqual(Number(room?.size) + 2)
  })
})

it('leaves a line in the log where it changes grants, as each change of who may do what does', async () => {
  const before = server.log.length
  const address = `/users/${ANN.email}`
  await operator.post(address, { act: 'grant', role: 'editor' })
  await operator.post(address, { act: 'take-grant', key: `editor/user/${ANN.email}` })
  await operator.post('/application-consumers/trusted', { act: 'rotate' })
  const path = await plan('{}\n', GRANTS_OF_ALL)
  const { text } = await operator.get(path)
  const allow = [...text.matchAll(/name="allow"\s+value="([^"]+)"/g)].map(([, value = '']) => value)
  const { location } = await operator.post(path, { allow })
  const lines = server.log.slice(before).map((line) => JSON.parse(line) as { [field: string]: unknown })
  const changes = lines.filter(({ message }) => message === 'access change')
  expect(changes).toMatchObject([
    { what: 'grant created', actor: OPERATOR.email },
    { what: 'grant deleted' },
    { what: 'application consumer changed' },
    { what: 'grants applied', target: location?.slice('/applies/'.length), grants: expect.any(Number) as number },
  ])
})
