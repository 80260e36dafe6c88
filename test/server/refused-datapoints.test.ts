import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BOOL, INT4, TEXT } from '../../src/db/columns.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { setRetention } from '../../src/platform/datapoints/retention/set-retention.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { updateSystem } from '../../src/platform/systems/systems.ts'
import { keepDatapoints } from '../../src/server/process/datapoint-upkeep.ts'
import { giveToken } from '../support/access.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { makeSite, type Site } from '../support/site.ts'
import { HOSTS, TOKEN, type Call } from './test-server.ts'
import { startWithinServer } from './within-server.ts'
import { context, server, useServer } from './one-server.ts'

// What refused datapoints leave behind: how many, of what, why and when, and nothing of their values.

const PATH = '/rest/v1/data-points/add'
const DAY_MS = 86_400_000
const WRONG = 777_777
const FIELDS = `code count systemUuid componentUuid serviceUuid characteristicUuid sender isRest firstAt lastAt`

interface Refused {
  readonly code: string
  readonly count: number
  readonly systemUuid: string | null
  readonly componentUuid: string | null
  readonly characteristicUuid: string | null
  readonly sender: string | null
  readonly isRest: boolean
  readonly firstAt: string
  readonly lastAt: string
}

const stored = () => server.database.statement('select count from refused_datapoints')

async function list(filter = '{}', datapoints: Pick<Datapoints, 'refused'> = server.datapoints, host?: string) {
  await datapoints.refused.flush()
  const query = `{ refusedDatapoints(first: 1000, filter: ${filter}) { totalCount nodes { ${FIELDS} } } }`
  const { refusedDatapoints: page } = await server.data<{ refusedDatapoints: { nodes: Refused[] } }>(query, {}, host)
  return page.nodes.toSorted((a, b) => a.code.localeCompare(b.code))
}

const send = (points: readonly unknown[], call: Call = {}) =>
  server.call({ path: PATH, body: JSON.stringify(points), ...call })

describe.each(SAMPLED_DATABASES)('refused datapoints on $name', (kind) => {
  let site: Site

  useServer({ kind })
  beforeAll(async () => {
    site = await makeSite(context)
  })
  beforeEach(async () => {
    await server.datapoints.refused.flush()
    await server.database.script('truncate refused_datapoints')
  })

  const tooMuch = (component = 0) => site.point('percent', WRONG, undefined, component)
  const ofNobody = () => ({ ...tooMuch(), component_uuid: randomUUID() })

  it('are counted by series, sender, code and day, whether the batch was stored in part or not', async () => {
    const begin = Date.now()
    const nobody = ofNobody()
    const batch = [tooMuch(), tooMuch(), tooMuch(1), nobody, site.point('temperature', 1)]
    const malformed = { value: 'what is this' }
    expect(await send([...batch, malformed])).toMatchObject({ status: 422, json: { errorCount: 5 } })
    expect(await send(batch, { headers: { prefer: 'handling=lenient' } })).toMatchObject({ status: 207 })
    expect((await send([site.point('temperature', 1)])).status).toBe(201)
    const found = await list()
    const { system_uuid: systemUuid, characteristic_uuid: characteristicUuid } = tooMuch()
    const tooMuchOf = (component: number, count: number) => ({
      code: 'out-of-bounds',
      count,
      systemUuid,
      characteristicUuid,
      isRest: false,
      componentUuid: site.componentUuids[component],
    })
    expect(found).toHaveLength(4)
    expect(found).toMatchObject(
      expect.arrayContaining(
        [
          { code: 'missing-field', count: 1, systemUuid: null, componentUuid: null },
          tooMuchOf(0, 4),
          tooMuchOf(1, 2),
          { code: 'unknown-component', count: 2, systemUuid: null, componentUuid: nobody.component_uuid },
        ].map((one) => expect.objectContaining(one) as unknown),
      ) as object,
    )
    for (const { sender, firstAt, lastAt } of found) {
      expect(sender).toMatch(/^[\da-f-]{36}$/)
      expect(Date.parse(firstAt)).toBeGreaterThanOrEqual(begin)
      expect(Date.parse(lastAt)).toBeGreaterThanOrEqual(Date.parse(firstAt))
    }
    const stored = await server.database.statement('select r::text as row from refused_datapoints r')
    expect(JSON.stringify(stored)).not.toMatch(/777777|what is this/)
  })

  it('are found by component, characteristic, code and time, page by page, in their own domain alone', async () => {
    await send([tooMuch(), tooMuch(1), site.point('temperature', 'warm'), ofNobody()])
    expect(await list(`{ components: ["${site.componentUuids[1]}"] }`)).toMatchObject([{ code: 'out-of-bounds' }])
    expect(
      await list(`{ characteristics: ["${tooMuch().characteristic_uuid}"], codes: ["out-of-bounds"] }`),
    ).toHaveLength(2)
    expect(await list(`{ systems: ["${site.systemUuid}"] }`)).toHaveLength(3)
    expect(await list(`{ to: "2020-01-01T00:00:00Z" }`)).toStrictEqual([])
    expect(await list(`{ from: "2020-01-01T00:00:00Z" }`)).toHaveLength(4)
    expect(await list('{}', server.datapoints, HOSTS.second)).toStrictEqual([])
    const uuids = new Set<string>()
    for (let after: string | null = null, more = true; more;) {
      const { refusedDatapoints: page }: { refusedDatapoints: UuidPage } = await server.data(
        `query ($after: String) { refusedDatapoints(first: 3, after: $after) { nodes { uuid } totalCount pageInfo { hasNextPage endCursor } } }`,
        { after },
      )
      for (const { uuid } of page.nodes) uuids.add(uuid)
      expect(page.totalCount).toBe(4)
      after = page.pageInfo.endCursor
      more = page.pageInfo.hasNextPage
    }
    expect(uuids.size).toBe(4)
  })

  it('belong to the system of the device that sent them, and a device sees no others', async () => {
    const { uuid } = await createSystemCredential(context, site.systemUuid)
    const token = await giveToken(context, { uuid }, { scope: 'datapoints:write data:read' })
    const authorization = `Bearer ${token}`
    const foreign = { ...tooMuch(), system_uuid: randomUUID() }
    expect((await send([foreign, ofNobody(), { value: 1 }], { authorization })).status).toBe(403)
    await send([ofNobody()])
    const found = await list()
    expect(found.map(({ code, systemUuid }) => [code, systemUuid])).toStrictEqual([
      ['missing-field', site.systemUuid],
      ['not-allowed', site.systemUuid],
      ...found
        .filter(({ code }) => code === 'unknown-component')
        .map(({ code, sender }) => [code, sender === uuid ? site.systemUuid : null]),
    ])
    const answer = await server.call({ body: '{"query":"{ refusedDatapoints { totalCount } }"}', authorization })
    expect(answer.json).toMatchObject({ data: { refusedDatapoints: { totalCount: 3 } } })
  })

  it('are counted once by two servers that store their counts at once', async () => {
    const other = new Datapoints({ ...context, isAlone: false })
    const sender = { domainId: context.domain.id, actor: 'tester', ...EVERYWHERE }
    for (let round = 0; round < 5; round++) {
      const points = [tooMuch(), tooMuch(1), site.point('temperature', 'warm')]
      await Promise.all([server.datapoints, other].map(({ ingest }) => ingest.add(sender, points)))
      await Promise.all([server.datapoints, other].map(({ refused }) => refused.flush()))
    }
    await other.close()
    expect((await list()).map(({ count }) => count)).toStrictEqual([10, 10, 10])
  })

  it('are still counted when they could not be stored at first', async () => {
    let isBroken = true
    const database: DomainContext['database'] = {
      ...server.database,
      transaction: (work) => (isBroken ? Promise.reject(new Error('broken')) : server.database.transaction(work)),
    }
    const { refused } = new Datapoints({ ...context, database, isAlone: false })
    const of = { systemUuid: null, componentUuid: null, serviceUuid: null, characteristicUuid: null }
    const sender = { domainId: context.domain.id, actor: 'tester' }
    refused.note(sender, [{ of, code: 'wrong-type', count: 2 }])
    await expect(refused.flush()).rejects.toThrow('broken')
    refused.note(sender, [{ of, code: 'wrong-type', count: 3 }])
    isBroken = false
    expect(await list('{}', { refused })).toMatchObject([{ code: 'wrong-type', count: 5 }])
  })

  it('are stored by as many statements however many there are, and where nothing was refused by none', async () => {
    const database = countingDatabase(server.database)
    const datapoints = new Datapoints({ ...context, database, isAlone: false })
    const sender = { domainId: context.domain.id, actor: 'tester', ...EVERYWHERE }
    const toStore = async (points: readonly unknown[]) => {
      await datapoints.ingest.add(sender, points)
      const before = database.statements.length
      await datapoints.refused.flush()
      return database.statements.length - before
    }
    expect(await toStore([site.point('temperature', 1)])).toBe(0)
    expect(await toStore([ofNobody()])).toBe(6)
    expect(await toStore(Array.from({ length: 100 }, ofNobody))).toBe(6)
    expect(await toStore([tooMuch()])).toBe(6)
    // Nothing is new, so nothing needs room.
    expect(await toStore([tooMuch(), tooMuch()])).toBe(5)
    await datapoints.close()
  })

  it('take no more room however many are sent, and none of others, and all are counted', async () => {
    await send([tooMuch()])
    const flooding = { domainId: context.domain.id, actor: 'flooding', ...EVERYWHERE }
    const batches = 12
    for (let batch = 0; batch < batches; batch++) {
      await server.datapoints.ingest.add(flooding, Array.from({ length: 1_000 }, ofNobody))
      await server.datapoints.refused.flush()
    }
    const query = `{ refusedDatapoints(first: 1) { totalCount } }`
    const { refusedDatapoints: page } = await server.data<{ refusedDatapoints: UuidPage }>(query)
    // The flooding sender's thousand, the other's one, and the rest.
    expect(page.totalCount).toBe(1_002)
    const counted = await server.database.rows(
      { who: TEXT, rest: BOOL, count: INT4 },
      `select coalesce(sender, 'all') as who, is_rest as rest, sum(count)::int as count from refused_datapoints group by 1, 2 order by 1, 2`,
    )
    expect(counted).toHaveLength(4)
    expect(counted.reduce((all, { count }) => all + count, 0)).toBe(batches * 1_000 + 1)
    expect(await list('{ codes: ["out-of-bounds"] }')).toMatchObject([{ count: 1 }])
  })

  it('leave with what would not be kept any more, or after a month', async () => {
    await setRetention(context, { characteristic: 'temperature', keep: 'P5D', acknowledge: true })
    await send([tooMuch(), site.point('temperature', 'warm')])
    await list()
    const expireIn = async (days: number) => {
      const later = new Datapoints({ ...context, isAlone: false, now: () => new Date(Date.now() + days * DAY_MS) })
      await later.expire()
      return (await list()).map(({ code }) => code)
    }
    expect(await expireIn(4)).toStrictEqual(['out-of-bounds', 'wrong-type'])
    expect(await expireIn(7)).toStrictEqual(['out-of-bounds'])
    expect(await expireIn(29)).toStrictEqual(['out-of-bounds'])
    expect(await expireIn(31)).toStrictEqual([])
  })

  it('are stored while a server runs, and at its end', async () => {
    await send([tooMuch()])
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const upkeep = keepDatapoints(server.datapoints, logger)
    await expect.poll(stored).toHaveLength(1)
    await upkeep.stop()
    const other = new Datapoints({ ...context, isAlone: false })
    await other.ingest.add({ domainId: context.domain.id, actor: 'tester', ...EVERYWHERE }, [tooMuch(1)])
    await other.close()
    expect(await stored()).toHaveLength(2)
  })

  it('are gone with their system', async () => {
    await send([tooMuch(), ofNobody()])
    expect(await list()).toHaveLength(2)
    // No operation deletes a system yet, so this is what one would do.
    await server.database.script(
      `begin; delete from series; delete from system_credentials; delete from components; delete from systems; commit`,
    )
    expect((await list()).map(({ code }) => code)).toStrictEqual(['unknown-component'])
  })
})

interface UuidPage {
  readonly nodes: readonly { readonly uuid: string }[]
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

it.each(SAMPLED_DATABASES)(
  'within an organization only those of its systems are seen on $name',
  async ({ openMigrated }) => {
    const { server, amber, basalt, nobody, context, ask, call } = await startWithinServer(await openMigrated())
    const everything = [amber, basalt, nobody].map(({ point }) => point('temperature', 'warm'))
    await server.call({ path: PATH, body: JSON.stringify(everything), authorization: `Bearer ${TOKEN}` })
    // Sent by somebody for whom basalt does not exist, so that nobody of basalt hears of it.
    await call('operator', { path: PATH, body: JSON.stringify([basalt.point('temperature', 1)]) })
    await server.datapoints.refused.flush()
    const query = '{ refusedDatapoints { totalCount nodes { systemUuid code sender } } }'
    const seen = async () => (await ask('viewer', query)).data?.['refusedDatapoints']
    expect(await seen()).toStrictEqual({
      totalCount: 1,
      nodes: [{ systemUuid: amber.system, code: 'wrong-type', sender: null }],
    })
    const whole = await server.data<{ refusedDatapoints: { nodes: Refused[] } }>(query)
    expect(whole.refusedDatapoints.nodes.map(({ systemUuid, code }) => [code, systemUuid]).sort()).toStrictEqual(
      [
        ['unknown-component', null],
        ['wrong-type', amber.system],
        ['wrong-type', basalt.system],
        ['wrong-type', nobody.system],
      ].sort(),
    )
    await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'basalt/west' })
    expect(await seen()).toStrictEqual({ totalCount: 0, nodes: [] })
    await server.close()
  },
)
