import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it, vi } from 'vitest'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { applyImport } from '../../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../../src/platform/imports/applying/roll-back.ts'
import { setRetention } from '../../../../src/platform/datapoints/retention/set-retention.ts'
import { updateComponent } from '../../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../../src/platform/systems/reach.ts'
import { updateSystem } from '../../../../src/platform/systems/systems.ts'
import { NO_SETTINGS } from '../../../../src/records/settings.ts'
import { countingDatabase, type CountingDatabase } from '../../../support/counting-database.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { acknowledging, applyAll } from '../../../support/domain.ts'
import { makeSystem, SITE_MODEL, type CharacteristicCode } from '../../../support/site.ts'
import { historyOf } from '../history.ts'
import { context, sender, site, useSite } from '../../one-site.ts'

// Servers that know series, and a model that goes on without them.

const NOON = 1_760_000_000_000

useSite({ kind: POSTGRES })

/** A server with a count of what it asks of the database. */
interface CountedServer {
  readonly datapoints: Datapoints
  readonly counting: CountingDatabase
}

function startServer(): CountedServer {
  const counting = countingDatabase(context.database)
  return { counting, datapoints: new Datapoints({ ...context, database: counting, isAlone: true }) }
}

function send({ datapoints }: CountedServer, code: CharacteristicCode, value: unknown, at = NOON, component = 0) {
  return datapoints.ingest.add(sender, [site.point(code, value, at, component)])
}

/** The site's model with other fields of one characteristic; without it where there are none. */
function changed(code: CharacteristicCode, fields: object | null): object {
  const characteristics = SITE_MODEL.characteristics.flatMap((one) =>
    one.code !== code ? [one] : fields === null ? [] : [{ ...one, ...fields }],
  )
  const kept = ({ code: own }: { readonly code: string }) => fields !== null || own !== code
  const services = SITE_MODEL.services.map((service) => ({
    ...service,
    characteristics: service.characteristics.filter(kept),
  }))
  return { ...SITE_MODEL, characteristics, services }
}

async function statementsOf({ counting }: CountedServer, work: () => Promise<unknown>): Promise<string[]> {
  const before = counting.statements.length
  await work()
  return counting.statements.slice(before)
}

const lookUps = (statements: readonly string[]) => statements.filter((text) => /\b(series|components) /.test(text))

const MANY = 4_000

it(
  'after an apply 20,000 known series are looked up by nobody, and the new rules hold for all of them',
  { timeout: 180_000 },
  async () => {
    const many = await makeSystem<CharacteristicCode>(context, { model: 'sensor', name: 'Many' }, MANY)
    const server = startServer()
    const round = async (at: number) => {
      const codes = ['temperature', 'count', 'open', 'note', 'percent'] as const
      const values = { temperature: 1.5, count: 7, open: true, note: 'x', percent: 50 }
      for (let component = 0; component < MANY; component += 1_000) {
        const components = Array.from({ length: 1_000 }, (_, index) => component + index)
        const points = components.flatMap((one) => codes.map((code) => many.point(code, values[code], at, one)))
        expect(await server.datapoints.ingest.add(sender, points)).toMatchObject({ stored: points.length })
      }
    }
    await round(NOON)
    await applyAll(context, changed('percent', { name: 'Share', boundaryMax: 50 }))
    const statements = await statementsOf(server, () => round(NOON + 1_000))
    expect(lookUps(statements)).toStrictEqual([])
    // Four flushes, one of them twice, a look at what has changed, and what folds.
    expect(statements.filter((text) => text.includes('store_flush'))).toHaveLength(5)
    expect(statements.length).toBeLessThan(20)
    const high = many.point('percent', 51, NOON + 2_000, MANY - 1)
    expect(await server.datapoints.ingest.add(sender, [high])).toMatchObject({ errors: [{ code: 'out-of-bounds' }] })
    await server.datapoints.close()
  },
)

it('what is new, and what has another name, leaves flushes as they are', async () => {
  const server = startServer()
  await send(server, 'temperature', 1)
  await makeSystem(context, { model: 'sensor', name: 'Other' }, 2)
  await updateComponent(context, EVERYWHERE, site.componentUuids[0] ?? '', { name: 'Hall' })
  const statements = await statementsOf(server, () => send(server, 'temperature', 2, NOON + 1))
  expect(statements).toHaveLength(1)
  await server.datapoints.close()
})

const toggle = async (status: 'ARCHIVED' | 'ACTIVATED') => {
  await updateComponent(context, EVERYWHERE, site.componentUuids[0] ?? '', { status })
}

it('each server refuses what was closed anywhere, forgets nothing else, and takes it again', async () => {
  const other = await makeSystem(context, { model: 'sensor', name: 'Other' }, 1)
  const servers = [startServer(), startServer()]
  for (const server of servers) {
    await send(server, 'temperature', 1)
    await server.datapoints.ingest.add(sender, [other.point('temperature', 1, NOON)])
  }
  await toggle('ARCHIVED')
  for (const server of servers) {
    const elsewhere = () => server.datapoints.ingest.add(sender, [other.point('temperature', 2, NOON + 1)])
    expect(lookUps(await statementsOf(server, elsewhere)).filter((text) => !text.includes('changed_in'))).toEqual([])
    expect(await send(server, 'temperature', 2)).toMatchObject({ stored: 0, errors: [{ code: 'archived' }] })
  }
  await toggle('ACTIVATED')
  for (const server of servers) expect(await send(server, 'temperature', 2)).toMatchObject({ stored: 1 })
  await updateSystem(context, EVERYWHERE, site.systemUuid, { status: 'DEACTIVATED' })
  for (const server of servers)
    expect(await send(server, 'temperature', 3)).toMatchObject({ stored: 0, errors: [{ code: 'deactivated' }] })
  for (const { datapoints } of servers) await datapoints.close()
})

it('another kind of value begins another series, and the one before goes on when it is back', async () => {
  const [one, two] = [startServer(), startServer()]
  for (const server of [one, two]) await send(server, 'count', 1)
  await applyAll(context, changed('count', { dataType: 'STRING' }))
  expect(await send(one, 'count', 2, NOON + 1)).toMatchObject({ stored: 0, errors: [{ code: 'wrong-type' }] })
  for (const server of [one, two]) expect(await send(server, 'count', 'two', NOON + 1)).toMatchObject({ stored: 1 })
  await applyAll(context, SITE_MODEL)
  // One has met the text in between, the other one has not.
  for (const [index, server] of [one, two].entries())
    expect(await send(server, 'count', 3, NOON + 2 + index)).toMatchObject({ stored: 1 })
  const rows = await context.database.statement(`select value_kind from series order by value_kind`)
  expect(rows).toMatchObject([{ value_kind: 'integer' }, { value_kind: 'text' }])
  for (const { datapoints } of [one, two]) await datapoints.close()
})

it('a series that was deleted and comes back by a rollback has another number, and its points are read', async () => {
  const [one, two] = [startServer(), startServer()]
  for (const server of [one, two]) await send(server, 'temperature', 1)
  const { uuid } = await applyAll(context, changed('temperature', null))
  const settings = acknowledging((await planRollback(context, uuid, NO_SETTINGS)).plan)
  const { plan } = await planRollback(context, uuid, settings)
  await applyImport(context, { document: {}, settings, plan, origin: { rollbackOf: uuid } })
  for (const [index, server] of [one, two].entries())
    expect(await send(server, 'temperature', index, NOON + index)).toMatchObject({ stored: 1 })
  for (const { datapoints } of [one, two]) await datapoints.close()
  const at = NOON * 1_000
  expect((await historyOf(context))['Sensor 0 temperature']).toStrictEqual([
    [at, 0],
    [at + 1_000, 1],
  ])
})

/** What happens elsewhere is not within the transaction of the server. */
const outside = AsyncLocalStorage.snapshot()

/** A server before whose statements with this text something happens, and the count of these. */
function serverWith(part: string, happen: () => Promise<unknown>) {
  const seen = { count: 0 }
  const database = countingDatabase(context.database, async ({ text }) => {
    if (!text.includes(part)) return
    seen.count += 1
    await outside(happen)
  })
  return { seen, datapoints: new Datapoints({ ...context, database, isAlone: true }) }
}

/** Before each look at the version of the model it rises: the look-up and the server's knowledge are never of one version. */
async function firstContactAmid(change: (look: number) => Promise<unknown>) {
  const { seen, datapoints } = serverWith('model_version as version', async () => {
    if (isSteady && seen.count <= 20) await change(seen.count)
  })
  let isSteady = false
  await datapoints.ingest.add(sender, [site.point('temperature', 1, NOON)])
  isSteady = true
  seen.count = 0
  const result = await datapoints.ingest.add(sender, [site.point('count', 1, NOON)])
  await datapoints.close()
  return { result, looks: seen.count }
}

it('changes of other systems, however many, do not keep a new series from being made', async () => {
  const other = await makeSystem(context, { model: 'sensor', name: 'Other' }, 1)
  const { result, looks } = await firstContactAmid((look) =>
    updateComponent(context, EVERYWHERE, other.componentUuids[0] ?? '', {
      status: look % 2 === 1 ? 'DEACTIVATED' : 'ACTIVATED',
    }),
  )
  expect(result).toMatchObject({ stored: 1 })
  expect(looks).toBe(2)
})

it('a change of its own system at the moment of its first point is heard', async () => {
  const changes = [{ status: 'DEACTIVATED' }, { status: 'ACTIVATED' }, { status: 'ARCHIVED' }] as const
  const { result } = await firstContactAmid(async (look) => {
    const change = changes[look - 1]
    if (change !== undefined) await updateComponent(context, EVERYWHERE, site.componentUuids[0] ?? '', change)
  })
  expect(result).toMatchObject({ stored: 0, errors: [{ code: 'archived' }] })
})

it('a sender is told so where the model changes again and again for long', async () => {
  let elapsed = 0
  const real = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + elapsed)
  const steps = ['ACTIVATED', 'DEACTIVATED'] as const
  const { seen, datapoints } = serverWith('store_flush', async () => {
    elapsed += 4_000
    const status = steps[seen.count % 2] ?? 'ACTIVATED'
    await updateComponent(context, EVERYWHERE, site.componentUuids[1] ?? '', { status })
  })
  await expect(datapoints.ingest.add(sender, [site.point('count', 1, NOON)])).rejects.toThrow(
    /^the model of this domain, or its rights, change too often; nothing of the batch was stored/,
  )
  expect(seen.count).toBeGreaterThan(4)
  clock.mockRestore()
  await datapoints.close()
})

it('no version is given out twice, not even by a database that was taken back', async () => {
  const { database, domain } = context
  const raise = () => setRetention(context, { characteristic: null, keep: `P${days++}D`, acknowledge: true })
  let days = 4_000
  const versions = () =>
    database.statement(`select model_version, records_version from domain_state where domain_id = $1`, [domain.id])
  const before = await versions()
  await raise()
  const [lost] = await versions()
  await database.statement(`update domain_state set model_version = $2, records_version = $3 where domain_id = $1`, [
    domain.id,
    ...Object.values(before[0] ?? {}).map(String),
  ])
  await raise()
  const [after] = await versions()
  const [version, records] = Object.values(after ?? {}).map(Number)
  expect(version).toBeGreaterThan(Number(Object.values(lost ?? {})[0]))
  expect(records).toBe(version)
  expect(Number.isSafeInteger(version)).toBe(true)
})

it('a retention that is shortened holds for series that are known', async () => {
  const server = startServer()
  const old = Date.now() - 40 * 86_400_000
  expect(await send(server, 'temperature', 1, old)).toMatchObject({ stored: 1 })
  await setRetention(context, { characteristic: null, keep: 'P30D', acknowledge: true })
  expect(await send(server, 'temperature', 2, old + 1)).toMatchObject({
    stored: 0,
    errors: [{ code: 'timestamp-too-old' }],
  })
  await server.datapoints.close()
})
